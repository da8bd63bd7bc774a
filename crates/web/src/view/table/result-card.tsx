import type { JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import { momentOf, type TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { PlayerName } from '../people/player-name.tsx';
import { SeatRatingChange } from '../ratings/seat-rating-change.tsx';
import { UserName } from '../user-name.tsx';
import { useRatingChanges } from './use-rating-changes.ts';

/**
 * The places of all players after the match, and after a rated one the changes of their ratings.
 * The reason of the end is in the status.
 */
export function ResultCard({ state }: { state: TableState }): JSX.Element | null {
  const { outcome, eliminated } = state.state;
  const ratings = useRatingChanges(state);
  if (outcome === undefined) return null;
  const rank = (color: Color): number => outcome.places[color] ?? state.seats.length;
  const ranked = state.seats.toSorted((a, b) => rank(a.color) - rank(b.color));
  return (
    <section class="card result" data-testid="result" data-reason={outcome.reason} aria-label={text.table.result}>
      <h2>{text.table.result}</h2>
      <ol class="places">
        {ranked.map((seat) => {
          const out = eliminated.find((one) => one.color === seat.color);
          return (
            <li key={seat.color} data-color={seat.color} data-place={rank(seat.color)}>
              <span class="place-rank">{text.place(rank(seat.color))}</span>
              <span class="plate-chip" aria-hidden="true" />
              <span class="place-name">
                {text.colors[seat.color]}
                <span class="quiet">
                  {' '}
                  {seat.user !== null && (
                    <PlayerName user={seat.user} moment={momentOf(state)}>
                      <UserName user={seat.user} />
                    </PlayerName>
                  )}</span>
                {state.settings.rated && <SeatRatingChange rating={ratings.find(({ color }) => color === seat.color)} />}
              </span>
              {out !== undefined && <span class="quiet">{text.causes[out.cause]}</span>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
