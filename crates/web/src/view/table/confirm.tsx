import type { ComponentChildren, JSX } from 'preact';
import { text } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';

interface ConfirmProps {
  readonly title: string;
  /** Label of the button that confirms. */
  readonly action: string;
  /** Label of the button that cancels. */
  readonly keep?: string;
  readonly testId: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Asks before something that cannot be undone. */
export function Confirm(props: ConfirmProps): JSX.Element {
  const { title, action, keep, testId, onConfirm, onClose, children } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <div class="buttons align-end">
        <button type="button" class="button" onClick={onClose}>
          {keep ?? text.cancel}
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
          {action}
        </button>
      </div>
    </Dialog>
  );
}
