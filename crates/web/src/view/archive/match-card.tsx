import type { JSX } from 'preact';
import type { Color, MatchSummary } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { outcomeHeadline } from '../../text/sentence.ts';
import { timeControlText } from '../../text/settings.ts';
import { ShortUserName } from '../user-name.tsx';
import { VariantEmblem } from '../variant-emblem.tsx';
import { MatchPicture } from './match-picture.tsx';

/**
 * A match of the archive: its last position, its players and its result. A running match links to
 * its table.
 */
export function MatchCard({ summary }: { summary: MatchSummary }): JSX.Element {
  const { match, table, variant, rated, plies, started_at_ms, ended_at_ms } = summary;
  const isRunning = ended_at_ms === undefined;
  const facts = [text.variants[variant].name, timeControlText(summary), ...(rated === true ? [text.settings.rated] : []), text.lobby.moves(plies)];
  return (
    <li class="match-card" data-testid="match-card" data-match={match} data-running={isRunning}>
      <MatchPicture summary={summary} />
      <div class="match-details">
        <a class="match-link" href={isRunning ? `/t/${table}` : `/m/${match}`}>
          {resultText(summary)}
        </a>
        <p class="quiet with-emblem">
          <VariantEmblem variant={variant} />
          <span>{facts.join(' · ')}</span>
        </p>
        <Players summary={summary} />
        <time class="quiet" dateTime={new Date(started_at_ms).toISOString()}>
          {text.moment(started_at_ms)}
        </time>
      </div>
    </li>
  );
}

/** Returns the result in a few words. */
function resultText({ outcome, aborted, seats }: MatchSummary): string {
  if (outcome !== undefined) return `${outcomeHeadline(outcome, seats.length)} ${text.reasons[outcome.reason]}`;
  return aborted === undefined ? text.archive.running : text.events.aborted(text.abortCauses[aborted]);
}

/** The players. The winner comes first; while the match has no result, they are in turn order. */
function Players({ summary: { seats, outcome } }: { summary: MatchSummary }): JSX.Element {
  const rank = (color: Color): number => outcome?.places[color] ?? seats.length;
  return (
    <ol class="match-players">
      {seats.toSorted((a, b) => rank(a.color) - rank(b.color)).map(({ color, user, substitute }) => (
        <li key={color} data-color={color} data-place={outcome?.places[color]}>
          <span class="plate-chip" aria-hidden="true" />
          {user === null ? (
            <span class="match-player">{text.colors[color]}</span>
          ) : (
            <a class="match-player" href={`/u/${user.id}`}>
              <ShortUserName user={user} />
            </a>
          )}
          {substitute !== undefined && <span class="quiet">{text.bots.standsIn(nameOf(substitute))}</span>}
          {outcome !== undefined && <span class="quiet">{text.place(rank(color))}</span>}
        </li>
      ))}
    </ol>
  );
}
