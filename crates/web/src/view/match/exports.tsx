import type { ComponentChildren, JSX } from 'preact';
import type { MatchId } from '../../protocol/generated.ts';
import type { MatchShare } from '../../store/match-share.ts';
import { shareSecretOf } from '../../store/share-links.ts';
import { notationsOf } from '../../store/variants.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { timeControlText } from '../../text/settings.ts';
import { useClient } from '../context.ts';
import { InviteAgain } from '../invitations/invite-again.tsx';
import { VariantEmblem } from '../variant-emblem.tsx';
import { saveFile } from './save-file.ts';
import { Share } from './share-card.tsx';

/** The links of a match: to its players, for sharing, to its analysis, and to downloads. */
export function Exports({ share, state, ply }: { share: MatchShare; state: TableState; ply: number }): JSX.Element {
  const { match, settings, plies, history } = state;
  const format = notationsOf(settings.variant).game;
  const started_ms = history.find(({ event }) => event.type === 'started')?.at_ms;
  return (
    <section class="card exports" aria-label={text.replay.exports}>
      <p class="quiet with-emblem">
        <VariantEmblem variant={settings.variant} />
        <span>{[text.variants[settings.variant].name, timeControlText(settings), ...(started_ms === undefined ? [] : [text.moment(started_ms)])].join(' · ')}</span>
      </p>
      <p class="exports-players">
        {state.seats.map(({ color, user }) =>
          user === null ? null : (
            <a key={color} href={`/u/${user.id}`} data-color={color}>
              <span class="plate-chip" aria-hidden="true" />
              <span>{nameOf(user)}</span>
            </a>
          ),
        )}
      </p>
      <Share share={share} state={state} ply={ply === plies.length ? null : ply} />
      <div class="buttons">
        <a class="button primary" href={`/analysis?match=${match}&ply=${ply}`} data-testid="analyse">
          {text.replay.analyse}
        </a>
        <InviteAgain state={state} />
        <Download match={match} path={`/api/matches/${match}/notation`} name={`quadrex-${match.slice(-6)}.${format.toLowerCase()}`} testId="save-notation">
          {format}
        </Download>
        <Download match={match} path={`/api/matches/${match}/record`} name={`quadrex-${match.slice(-6)}.json`} testId="save-record">
          {text.replay.record}
        </Download>
        <Download match={match} path={`/pictures/match/${match}.png?ply=${ply}&width=1200`} name={`quadrex-${ply}.png`} testId="save-picture">
          {text.replay.picture}
        </Download>
        <Download match={match} path={`/pictures/match/${match}.gif`} name="quadrex.gif" testId="save-film">
          {text.replay.animation}
        </Download>
      </div>
    </section>
  );
}

interface DownloadProps {
  readonly match: MatchId;
  readonly path: string;
  /** The name of the file, if the server does not name it. */
  readonly name: string;
  readonly testId: string;
  readonly children: ComponentChildren;
}

/**
 * A link to a file about the match. If the reader has a share link, the file is requested with the
 * secret of the share link, which a plain link cannot send.
 */
function Download({ match, path, name, testId, children }: DownloadProps): JSX.Element {
  const client = useClient();
  const save = async (event: MouseEvent): Promise<void> => {
    if (shareSecretOf(match) === null) return;
    event.preventDefault();
    try {
      saveFile(await client.api.matchFile(match, path), name);
    } catch (error) {
      client.report(error);
    }
  };
  return (
    <a class="button" href={path} download={name} data-testid={testId} onClick={(event) => void save(event)}>
      {children}
    </a>
  );
}
