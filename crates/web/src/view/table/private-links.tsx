import type { JSX } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Color, LinkView } from '../../protocol/generated.ts';
import type { TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { CopyLink } from './copy-link.tsx';
import { ActiveLinks } from './active-links.tsx';

/** The purpose of a link: a seat, any seat, or watching. */
type LinkPurpose = Color | 'any' | 'watch';

/**
 * The host's links to a table with restricted access: an invite for each open seat or for any seat,
 * and a watch link.
 */
export function PrivateLinks({ store, state }: { store: TableStore; state: TableState }): JSX.Element | null {
  const client = useClient();
  const [newLinks, setNewLinks] = useState<Partial<Record<LinkPurpose, string>>>({});
  const [activeLinks, setActiveLinks] = useState<readonly LinkView[]>([]);
  const open = state.state.phase === 'open' ? state.seats.filter((seat) => seat.user === null) : [];
  const { privacy, admission, watchers } = state.settings;
  const purposes: LinkPurpose[] = [
    ...open.map((seat) => seat.color),
    ...(watchers === 'nobody' ? [] : (['watch'] as const)),
  ];
  const isOpenToAll = privacy === 'public' && admission === 'open';
  const isShown = !isOpenToAll && store.isHost && state.state.phase !== 'ended' && purposes.length > 0;
  const refresh = useCallback(async () => {
    try {
      setActiveLinks(await store.links());
    } catch (error) {
      client.report(error);
    }
  }, [client, store]);
  useEffect(() => {
    if (isShown) void refresh();
  }, [isShown, refresh]);
  if (!isShown) return null;

  const createLink = async (purpose: LinkPurpose): Promise<void> => {
    try {
      const link = await requestLink(store, purpose);
      setNewLinks((links) => ({ ...links, [purpose]: link }));
      await refresh();
    } catch (error) {
      client.report(error);
    }
  };
  const revoke = async (link: LinkView): Promise<void> => {
    try {
      await store.revoke(link);
      setNewLinks((links) => Object.fromEntries(Object.entries(links).filter(([purpose]) => purpose !== purposeOf(link))));
    } catch (error) {
      client.report(error);
    }
    await refresh();
  };

  const content = (
    <>
      <ul>
        {purposes.map((purpose) => {
          const link = newLinks[purpose];
          return (
            <li key={purpose} data-purpose={purpose} data-color={purpose}>
              <span class="link-recipient">
                {purpose !== 'any' && purpose !== 'watch' && <span class="plate-chip" aria-hidden="true" />}
                {labelOf(purpose)}
              </span>
              {link === undefined ? (
                <button type="button" class="button small" data-testid={`make-link-${purpose}`} onClick={() => void createLink(purpose)}>
                  {text.links.create}
                </button>
              ) : (
                <CopyLink link={link} label={labelOf(purpose)} testId={purpose === 'watch' ? 'watch-link' : 'invite-link'} />
              )}
            </li>
          );
        })}
      </ul>
      <ActiveLinks links={activeLinks} label={(link) => labelOf(purposeOf(link))} onRevoke={(link) => void revoke(link)} />
    </>
  );
  // The link for all seats is displayed above. The links here are collapsed, because few users need
  // them.
  if (open.length > 0) {
    return (
      <details class="card links other-links">
        <summary data-testid="other-links">{text.invite.otherLinks}</summary>
        {content}
      </details>
    );
  }
  return (
    <section class="card links">
      <h2>{text.links.watchers}</h2>
      <p class="quiet">{text.links.hint}</p>
      {content}
    </section>
  );
}

function requestLink(store: TableStore, purpose: LinkPurpose): Promise<string> {
  if (purpose === 'watch') return store.createWatchLink();
  return store.createInvite(purpose === 'any' ? null : purpose);
}

function purposeOf(link: LinkView): LinkPurpose {
  return link.kind === 'watch' ? 'watch' : (link.seat ?? 'any');
}

function labelOf(purpose: LinkPurpose): string {
  if (purpose === 'any') return text.links.anySeat;
  return purpose === 'watch' ? text.links.spectator : text.links.seat(purpose);
}
