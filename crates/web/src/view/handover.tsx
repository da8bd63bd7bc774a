import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../text/index.ts';
import { useClient } from './context.ts';
import { Dialog } from './dialog.tsx';
import { CopyLink } from './table/copy-link.tsx';

const MINUTE_MS = 60_000;

/** A link that works once and expires soon. */
interface HandoverLink {
  readonly link: string;
  readonly left_ms: number;
}

/**
 * Returns the parts of a handover: `open` creates a link to a path, and `dialog` shows the link
 * once it exists.
 */
export function useHandover(): { open: (path: string) => void; dialog: JSX.Element | null } {
  const client = useClient();
  const [handoverLink, setMade] = useState<HandoverLink | null>(null);
  const create = async (path: string): Promise<void> => {
    try {
      const { secret, expires_at_ms, origin } = await client.api.createHandover();
      const minutes = Math.max(1, Math.round((expires_at_ms - Date.now()) / MINUTE_MS));
      setMade({ link: `${origin ?? location.origin}${path}#seat=${secret}`, left_ms: minutes * MINUTE_MS });
    } catch (error) {
      client.report(error);
    }
  };
  const dialog = handoverLink && (
    <Dialog title={text.handover.open} onClose={() => setMade(null)}>
      <p>{text.handover.hint(handoverLink.left_ms)}</p>
      <CopyLink link={handoverLink.link} label={text.handover.label} testId="handover-link" />
    </Dialog>
  );
  return { open: (path) => void create(path), dialog };
}

/** A button that creates a link for continuing on another device. */
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
