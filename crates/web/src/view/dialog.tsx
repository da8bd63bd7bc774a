import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { text } from '../text/index.ts';
import { rememberOpener, returnFocus } from './opener.ts';

/**
 * A modal dialog. The browser keeps the focus inside. Escape and a click outside of it close it.
 * Then the element from which it was opened has the focus again.
 */
export function Dialog({
  title,
  isSheet = false,
  onClose,
  children,
}: {
  title: string;
  /** Set for a sheet: a dialog that takes most of the window's height. */
  isSheet?: boolean;
  onClose: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    if (dialog === null) return undefined;
    rememberOpener(dialog);
    if (!dialog.open) openDialog(dialog);
    return () => {
      if (dialog.open) dialog.close?.();
      returnFocus(dialog);
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={isSheet ? 'dialog sheet' : 'dialog'}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div class="dialog-body">
        <div class="dialog-head">
          <h2>{title}</h2>
          <button type="button" class="icon-button" aria-label={text.close} onClick={onClose}>
            ×
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

/** Opens a dialog. In a browser without modal dialogs it is not modal. */
function openDialog(dialog: HTMLDialogElement): void {
  try {
    dialog.showModal();
  } catch {
    dialog.setAttribute('open', '');
  }
}
