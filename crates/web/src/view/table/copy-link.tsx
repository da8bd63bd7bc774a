import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { text } from '../../text/index.ts';

/** The time for which "Copied" is displayed, in milliseconds. */
const COPIED_MS = 2_000;

/** Returns whether a text has just been copied, and a function that copies the text of a field. */
export function useCopy(): { readonly isCopied: boolean; copy(copied: string, input: HTMLInputElement | HTMLTextAreaElement | null): Promise<void> } {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async (copied: string, input: HTMLInputElement | HTMLTextAreaElement | null): Promise<void> => {
    if (!(await copyText(copied, input))) return;
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), COPIED_MS);
  };
  return { isCopied, copy };
}

/**
 * The label of a button that copies. After a press the label is "Copied" for a while. The button
 * has the same size with both labels.
 */
export function CopyLabel({ label, isCopied }: { label: string; isCopied: boolean }): JSX.Element {
  return (
    <span class="swap-label" data-second={isCopied}>
      <span>{label}</span>
      <span>{text.copied}</span>
    </span>
  );
}

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
  const { isCopied, copy } = useCopy();
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
      <button type="button" class="button" onClick={() => void copy(link, input.current)}>
        <CopyLabel label={buttonLabel} isCopied={isCopied} />
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
