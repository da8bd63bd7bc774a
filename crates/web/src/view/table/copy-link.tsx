import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { text } from '../../text/index.ts';

/** The time for which "Copied" is displayed, in milliseconds. */
const COPIED_MS = 2_000;

interface CopyLinkProps {
  readonly link: string;
  readonly label: string;
  readonly testId: string;
  /** The label of the button, if the text is not a link. */
  readonly buttonLabel?: string;
}

/** A link, or another line of text, with a button that copies it. */
export function CopyLink({ link, label, testId, buttonLabel = text.copy }: CopyLinkProps): JSX.Element {
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
          <span>{buttonLabel}</span>
          <span>{text.copied}</span>
        </span>
      </button>
    </div>
  );
}

/**
 * Copies a text and returns whether it worked. Pages over plain HTTP have no clipboard API; there
 * the selected text is copied by `execCommand`.
 */
export async function copyText(copied: string, input: HTMLInputElement | HTMLTextAreaElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(copied);
    return true;
  } catch {
    input?.select();
    return copySelected();
  }
}

/** Copies the selection. If that fails, the text stays selected for the user. */
function copySelected(): boolean {
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  }
}
