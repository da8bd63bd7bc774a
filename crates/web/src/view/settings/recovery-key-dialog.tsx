import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { UserView } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';
import { saveFile } from '../match/save-file.ts';
import { CopyLabel, useCopy } from '../table/copy-link.tsx';

/** The name of the file with the key. */
const FILE_NAME = 'quadrex-recovery-key.txt';

interface RecoveryKeyDialogProps {
  readonly user: UserView;
  readonly secret: string;
  /** Set if it has replaced an earlier key. */
  readonly isReplacement: boolean;
  readonly onClose: () => void;
}

/** The dialog that shows a new recovery key, which cannot be shown again. */
export function RecoveryKeyDialog({ user, secret, isReplacement, onClose }: RecoveryKeyDialogProps): JSX.Element {
  const words = text.recoveryKey;
  const input = useRef<HTMLTextAreaElement>(null);
  const { isCopied, copy } = useCopy();
  const save = (): void => saveFile(new Blob([words.file(user.name, secret, `${location.origin}/sign-in`)], { type: 'text/plain' }), FILE_NAME);
  return (
    <Dialog title={words.shown} onClose={onClose}>
      <p>
        {words.warning} {isReplacement && words.replaced}
      </p>
      <textarea
        ref={input}
        class="input secret"
        readOnly
        rows={2}
        value={secret}
        aria-label={words.label}
        data-testid="shown-key"
        onFocus={(event) => event.currentTarget.select()}
      />
      <div class="buttons">
        <button type="button" class="button primary" data-testid="copy-key" onClick={() => void copy(secret, input.current)}>
          <CopyLabel label={words.copy} isCopied={isCopied} />
        </button>
        <button type="button" class="button" data-testid="save-key" onClick={save}>
          {words.download}
        </button>
      </div>
    </Dialog>
  );
}
