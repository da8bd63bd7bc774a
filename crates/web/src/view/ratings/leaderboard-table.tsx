import type { JSX } from 'preact';
import type { RankedPlayer, RatingView, UserView } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { ShortUserName } from '../user-name.tsx';
import { RatingValue } from './rating-value.tsx';

interface LeaderboardTableProps {
  /** The best players, in their order. */
  readonly players: readonly RankedPlayer[];
  readonly viewer: UserView | null;
  /** The viewer's rating if the viewer is not listed; `null` if there is none. */
  readonly own: RatingView | null;
  /** The viewer's rank if the viewer is not among the listed players, but behind them. */
  readonly ownRank: number | null;
  /** The name of the variant and the speed. */
  readonly name: string;
}

/**
 * The players of a leaderboard. The viewer's row is marked. If the viewer is not listed, it follows
 * the others, with a rank only if it is known.
 */
export function LeaderboardTable({ players, viewer, own, ownRank, name }: LeaderboardTableProps): JSX.Element {
  const words = text.ratings;
  return (
    <table class="rating-table">
      <caption class="visually-hidden">{name}</caption>
      <thead>
        <tr>
          <th scope="col" class="rank">
            {words.rank}
          </th>
          <th scope="col">{words.player}</th>
          <th scope="col" class="amount">
            {words.rating}
          </th>
          <th scope="col" class="amount">
            {words.matches}
          </th>
        </tr>
      </thead>
      <tbody>
        {players.map(({ user, rating, matches }, index) => (
          <PlayerRow key={user.id} rank={text.number(index + 1)} user={user} isOwn={user.id === viewer?.id} rating={rating} matches={matches} />
        ))}
      </tbody>
      {own !== null && viewer !== null && (
        <tbody class="not-listed">
          <PlayerRow rank={ownRank === null ? '–' : text.number(ownRank)} user={viewer} isOwn rating={own.rating} provisional={own.provisional} matches={own.matches} />
        </tbody>
      )}
    </table>
  );
}

interface PlayerRowProps {
  readonly rank: string;
  readonly user: UserView;
  readonly isOwn: boolean;
  readonly rating: number;
  readonly provisional?: boolean | undefined;
  readonly matches: number;
}

function PlayerRow({ rank, user, isOwn, rating, provisional, matches }: PlayerRowProps): JSX.Element {
  return (
    <tr data-testid={isOwn ? 'own-row' : 'ranked-player'} data-own={isOwn}>
      <td class="rank">{rank}</td>
      <th scope="row">
        <a class="ranked-name" href={`/u/${user.id}`}>
          <ShortUserName user={user} />
        </a>
        {isOwn && <span class="own-mark">{text.ratings.you}</span>}
      </th>
      <td class="amount">
        <RatingValue rating={rating} provisional={provisional} />
      </td>
      <td class="amount">{text.number(matches)}</td>
    </tr>
  );
}
