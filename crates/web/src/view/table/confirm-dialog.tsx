import type { ComponentChildren, JSX } from 'preact';
import { text } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';

interface ConfirmProps {
  readonly title: string;
  /** The label of the button that confirms. */
  readonly confirmLabel: string;
  /** The label of the button that cancels. */
  readonly cancelLabel?: string;
  readonly testId: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** The question before an action that cannot be undone. */
export function ConfirmDialog(props: ConfirmProps): JSX.Element {
  const { title, confirmLabel, cancelLabel, testId, onConfirm, onClose, children } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <div class="buttons align-end">
        <button type="button" class="button" onClick={onClose}>
          {cancelLabel ?? text.cancel}
        </button>
        <button
          type="button"
          class="button danger"
          data-testid={testId}
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {confirmLabel}
        </button>
      </div>
    </Dialog>
  );
}
