import type { JSX } from 'preact';
import { notationsOf } from '../../store/variants.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { timeControlText } from '../../text/settings.ts';
import { VariantEmblem } from '../variant-emblem.tsx';
import { CopyLink } from '../table/copy-link.tsx';

/** The links of a match: to its players, for sharing, to its analysis, and to downloads. */
export function Exports({ state, ply }: { state: TableState; ply: number }): JSX.Element {
  const { match, settings, plies, history } = state;
  const format = notationsOf(settings.variant).game;
  const plyQuery = ply === plies.length ? '' : `?ply=${ply}`;
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
              <span>{user.name}</span>
            </a>
          ),
        )}
      </p>
      <CopyLink link={`${location.origin}/m/${match}${plyQuery}`} label={text.analysis.link} testId="replay-link" />
      <div class="buttons">
        <a class="button primary" href={`/analysis?match=${match}&ply=${ply}`} data-testid="analyse">
          {text.replay.analyse}
        </a>
        <a class="button" href={`/api/matches/${match}/notation`} download data-testid="save-notation">
          {format}
        </a>
        <a class="button" href={`/api/matches/${match}/record`} download data-testid="save-record">
          {text.replay.record}
        </a>
        <a class="button" href={`/pictures/match/${match}.png?ply=${ply}&width=1200`} download={`quadrex-${ply}.png`} data-testid="save-picture">
          {text.replay.picture}
        </a>
        <a class="button" href={`/pictures/match/${match}.gif`} download="quadrex.gif" data-testid="save-film">
          {text.replay.animation}
        </a>
      </div>
    </section>
  );
}
