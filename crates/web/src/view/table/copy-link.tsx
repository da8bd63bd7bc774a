import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { text } from '../../text/index.ts';

/** Time for which "Copied" is shown, milliseconds. */
const COPIED_MS = 2_000;

interface CopyLinkProps {
  readonly link: string;
  readonly label: string;
  readonly testId: string;
  /** Label of the button, if what is copied is no link. */
  readonly action?: string;
}

/** A link to be sent to somebody, or another line of text, with a button that copies it. */
export function CopyLink({ link, label, testId, action = text.copy }: CopyLinkProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    if (!(await copyText(link, input.current))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <div class="copy-link">
      <input
        ref={input}
        class="input"
        readOnly
        value={link}
        aria-label={label}
        data-testid={testId}
        onFocus={(event) => event.currentTarget.select()}
      />
      <button type="button" class="button" onClick={() => void copy()}>
        <span class="swap-label" data-second={copied}>
          <span>{action}</span>
          <span>{text.copied}</span>
        </span>
      </button>
    </div>
  );
}

/** Pages served over plain HTTP have no clipboard of their own; there the marked text is copied the old way. */
export async function copyText(words: string, input: HTMLInputElement | HTMLTextAreaElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    input?.select();
    return copySelected();
  }
}

/** Copies the selection; if that fails it stays selected, for the user to copy by hand. */
function copySelected(): boolean {
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  }
}
