import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../text/index.ts';
import { useClient } from './context.ts';
import { Dialog } from './dialog.tsx';
import { CopyLink } from './table/copy-link.tsx';

const MINUTE_MS = 60_000;

/** A link that is good once and soon ends. */
interface Made {
  readonly link: string;
  readonly left_ms: number;
}

/** The way to go on from another device: `open` asks for a link to a path, `dialog` shows it once it is there. */
export function useHandover(): { open: (path: string) => void; dialog: JSX.Element | null } {
  const client = useClient();
  const [made, setMade] = useState<Made | null>(null);
  const make = async (path: string): Promise<void> => {
    try {
      const { secret, expires_at_ms } = await client.api.createHandover();
      const minutes = Math.max(1, Math.round((expires_at_ms - Date.now()) / MINUTE_MS));
      setMade({ link: `${location.origin}${path}#seat=${secret}`, left_ms: minutes * MINUTE_MS });
    } catch (error) {
      client.report(error);
    }
  };
  const dialog = made && (
    <Dialog title={text.handover.open} onClose={() => setMade(null)}>
      <p>{text.handover.hint(made.left_ms)}</p>
      <CopyLink link={made.link} label={text.handover.label} testId="handover-link" />
    </Dialog>
  );
  return { open: (path) => void make(path), dialog };
}

/** A button that hands over the table at this path. */
export function HandoverButton({ path }: { path: string }): JSX.Element {
  const { open, dialog } = useHandover();
  return (
    <>
      <button type="button" class="link-button" data-testid="handover" onClick={() => open(path)}>
        {text.handover.open}
      </button>
      {dialog}
    </>
  );
}
