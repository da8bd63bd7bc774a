import type { JSX } from 'preact';
import type { Standing } from '../../protocol/generated.ts';
import { playerCount } from '../../store/variants.ts';
import { text } from '../../text/index.ts';
import { VariantEmblem } from '../variant-emblem.tsx';

/**
 * The statistics of a player, with a card for each variant: matches, wins, and the places as a bar.
 */
export function Standings({ standings }: { standings: readonly Standing[] }): JSX.Element {
  if (standings.length === 0) return <p class="empty">{text.player.noneEnded}</p>;
  return (
    <ul class="standings">
      {standings.map((standing) => (
        <li key={standing.variant} class="card standing" data-testid={`standing-${standing.variant}`}>
          <h3 class="with-emblem">
            <VariantEmblem variant={standing.variant} />
            {text.variants[standing.variant].name}
          </h3>
          <p>
            <strong>{text.player.played(standing.played)}</strong>
            <span class="quiet">
              {' '}
              {text.number(standing.won)} {text.player.won}
              {standing.drawn > 0 && `, ${text.number(standing.drawn)} ${text.player.sharedFirst}`}
            </span>
          </p>
          <PlaceBar standing={standing} />
        </li>
      ))}
    </ul>
  );
}

/** The places as a bar. The width of a part is the frequency of the place. */
function PlaceBar({ standing: { variant, places } }: { standing: Standing }): JSX.Element {
  const possiblePlaces = places.slice(0, playerCount(variant));
  const counts = possiblePlaces.map((count, index) => `${text.place(index + 1)} ${text.number(count)}`);
  return (
    <div class="place-bar" role="img" aria-label={text.player.places(variant, text.list(counts))}>
      <div class="place-parts">
        {possiblePlaces.map((count, index) =>
          count === 0 ? null : <span key={index} class="place-share" data-place={index + 1} style={{ flexGrow: count }} />,
        )}
      </div>
      <ul class="place-counts" aria-hidden="true">
        {possiblePlaces.map((count, index) => (
          <li key={index} data-place={index + 1}>
            {text.place(index + 1)} <strong>{text.number(count)}</strong>
          </li>
        ))}
      </ul>
    </div>
  );
}
