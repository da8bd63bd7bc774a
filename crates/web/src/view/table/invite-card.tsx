import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isLoopback } from '../../store/invite-links.ts';
import { freeSeats, type TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { CopyLabel, useCopy } from './copy-link.tsx';
import { LinkVisitors } from './link-visitors.tsx';
import { hasShareSheet, openShareSheet, reportFailures } from './share-sheet.ts';

type QrCodeView = (props: { content: string; label: string }) => JSX.Element;

/**
 * The host's link for all free seats. One press creates it and copies it, shares it, or shows it as
 * a QR code.
 */
export function InviteCard({ store, state }: { store: TableStore; state: TableState }): JSX.Element | null {
  const client = useClient();
  const card = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const { isCopied, copy: copyFrom } = useCopy();
  const [Code, setCode] = useState<{ readonly view: QrCodeView } | null>(null);
  const link = store.inviteLink.value;
  // A new link has another QR code, and after a revocation there is no code.
  const hasLink = link !== null;
  useEffect(() => {
    if (!hasLink) setCode(null);
  }, [hasLink]);
  // On a phone the code would be below the window.
  useEffect(() => {
    if (Code !== null) card.current?.querySelector('.qr-code')?.scrollIntoView({ block: 'nearest' });
  }, [Code]);
  if (!store.isHost || state.state.phase !== 'open' || freeSeats(state).length === 0) return null;

  /** Calls `use` with the link. If there is no link yet, creates it first. */
  const withLink = (use: (link: string) => Promise<void>): Promise<void> =>
    reportFailures(
      async () => use(await store.inviteForAll()),
      (error) => client.report(error),
    );
  const copy = (): Promise<void> =>
    withLink(async (created) => {
      if (input.current !== null) input.current.value = created;
      await copyFrom(created, input.current);
    });
  const share = (): Promise<void> =>
    withLink((url) => openShareSheet(url, state.settings.variant, text.invite.shareText));
  const toggleCode = (): Promise<void> =>
    withLink(async () => {
      if (Code !== null) return setCode(null);
      const { default: view } = await import('../qr-code.tsx');
      setCode({ view });
    });

  return (
    <section ref={card} class="card invite" data-testid="invite">
      <h2>{text.invite.title}</h2>
      <p class="quiet">{text.invite.hint}</p>
      <button type="button" class="button primary" data-testid="copy-invite" onClick={() => void copy()}>
        <CopyLabel label={text.invite.copy} isCopied={isCopied} />
      </button>
      <div class="invite-actions">
        {hasShareSheet() && (
          <button type="button" class="button" data-testid="share-invite" onClick={() => void share()}>
            {text.invite.share}
          </button>
        )}
        <button type="button" class="button" data-testid="qr-invite" aria-expanded={Code !== null} onClick={() => void toggleCode()}>
          {text.invite.qr}
        </button>
      </div>
      {Code !== null && link !== null && <Code.view content={link} label={text.invite.qrLabel} />}
      <input
        ref={input}
        class="input invite-link"
        readOnly
        value={link ?? ''}
        hidden={link === null}
        aria-label={text.invite.link}
        data-testid="invite-for-all"
        onFocus={(event) => event.currentTarget.select()}
      />
      {link !== null && isLoopback(link) && <p class="quiet small-print">
          {text.invite.onlyThisComputer} <code>--bind 0.0.0.0:8080</code>
        </p>}
      <LinkVisitors state={state} />
    </section>
  );
}
