import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { MatchShare } from '../../store/match-share.ts';
import { shareLink, shareSecretOf, type OwnShare } from '../../store/share-links.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { isFocusLost } from '../opener.ts';
import { CopyLabel, CopyLink, useCopy } from '../table/copy-link.tsx';
import { hasShareSheet, openShareSheet, reportFailures } from '../table/share-sheet.ts';

interface ShareProps {
  readonly share: MatchShare;
  readonly state: TableState;
  /** The displayed ply; `null` for the last ply. */
  readonly ply: number | null;
}

/** The link to a match. For a private match, a player can create a link that works for others. */
export function Share({ share, state, ply }: ShareProps): JSX.Element {
  const { match } = state;
  const status = share.state.value;
  if (status.kind === 'public') {
    const plyQuery = ply === null ? '' : `?ply=${ply}`;
    return <CopyLink link={`${location.origin}/m/${match}${plyQuery}`} label={text.analysis.link} testId="replay-link" />;
  }
  if (status.kind !== 'forbidden') return <OwnLink share={share} state={state} ply={ply} />;
  const secret = shareSecretOf(match);
  if (secret !== null) return <CopyLink link={shareLink(match, location.origin, secret, ply)} label={text.analysis.link} testId="replay-link" />;
  return <p class="quiet">{state.state.phase === 'ended' ? text.share.playersOnly : text.share.afterEnd}</p>;
}

/** The player's share link, with buttons to create it, pass it on and remove it. */
function OwnLink({ share, state, ply }: ShareProps): JSX.Element {
  const client = useClient();
  const card = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const { isCopied, copy } = useCopy();
  const status = share.state.value;
  const ownLink = status.kind === 'shared' ? status.link : null;
  const linkOf = ({ origin, secret }: OwnShare): string => shareLink(state.match, origin, secret, ply);

  const hadFocus = useRef(false);
  // A change of the state comes before its rendering, so the pressed button still has the focus here.
  useLayoutEffect(() => share.state.subscribe(() => (hadFocus.current = card.current?.contains(document.activeElement) === true)), [share]);
  // If the rendering has replaced the pressed button by others, the first of them gets the focus.
  useLayoutEffect(() => {
    if (hadFocus.current && isFocusLost()) card.current?.querySelector('button')?.focus();
    hadFocus.current = false;
  });
  const attempt = (action: () => Promise<void>): Promise<void> => reportFailures(action, (error) => client.report(error));
  const passOn = (link: string): Promise<void> => openShareSheet(link, state.settings.variant, text.share.shareText);
  const create = (): Promise<void> =>
    attempt(async () => {
      const link = linkOf(await share.create());
      if (input.current !== null) input.current.value = link;
      if (hasShareSheet()) await passOn(link);
      else await copy(link, input.current);
    });
  return (
    <div ref={card} class="share" data-testid="share" data-state={status.kind}>
      <p class="quiet">
        {status.kind === 'shared' ? (ownLink === null ? text.share.elsewhere(text.moment(status.created_at_ms)) : text.share.hint) : text.share.isPrivate}
      </p>
      <input
        ref={input}
        class="input share-link"
        readOnly
        value={ownLink === null ? '' : linkOf(ownLink)}
        hidden={ownLink === null}
        aria-label={text.share.link}
        data-testid="share-link"
        onFocus={(event) => event.currentTarget.select()}
      />
      <div class="buttons">
        {ownLink === null ? (
          <button type="button" class="button" data-testid="create-share" onClick={() => void create()}>
            {status.kind === 'shared' ? text.share.renew : text.share.create}
          </button>
        ) : (
          <>
            <button type="button" class="button" data-testid="copy-share" onClick={() => void copy(linkOf(ownLink), input.current)}>
              <CopyLabel label={text.copy} isCopied={isCopied} />
            </button>
            {hasShareSheet() && (
              <button type="button" class="button" data-testid="pass-on-share" onClick={() => void attempt(() => passOn(linkOf(ownLink)))}>
                {text.share.passOn}
              </button>
            )}
          </>
        )}
        {status.kind === 'shared' && (
          <button type="button" class="button" data-testid="remove-share" onClick={() => void attempt(() => share.remove())}>
            {text.share.remove}
          </button>
        )}
      </div>
    </div>
  );
}
