import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { LiveTables } from '../../store/live-tables.ts';
import type { OwnTableState } from '../../store/own-tables.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { lastSentence } from '../../text/sentence.ts';
import { timeControlText, unusualSettings } from '../../text/settings.ts';
import { useClient } from '../context.ts';
import { useInViewport } from '../in-viewport.ts';
import { LivePicture } from '../lobby/live-board.tsx';
import { MoveTimeLeft } from './move-time-left.tsx';

interface GameCardProps {
  readonly live: LiveTables;
  readonly table: OwnTableState;
}

/**
 * An own table with its board, the other players, the last move and the time left. The board is
 * followed while it is visible, without counting as present at the table.
 */
export function GameCard({ live, table }: GameCardProps): JSX.Element {
  const { settings, seats, phase, your_move, turn } = table;
  const user = useClient().user.value?.id;
  const element = useRef<HTMLLIElement>(null);
  const isVisible = useInViewport(element);
  useEffect(() => (isVisible ? live.show(table.table) : undefined), [live, table.table, isVisible]);
  const state = live.storeOf(table.table).state.value;
  const others = seats.flatMap((seat) => (seat.user === null || seat.user.id === user ? [] : [nameOf(seat.user)]));
  const names = [...new Set(others)];
  const mover = seats.find(({ color }) => color === turn)?.user ?? null;
  const taken = seats.filter((seat) => seat.user !== null).length;
  return (
    <li ref={element} class="own-game" data-testid="game" data-table={table.table} data-your-move={your_move}>
      <a class="own-game-link" href={`/t/${table.table}`}>
        <span class="own-game-board" aria-hidden="true">
          {state !== null && <LivePicture state={state} board={state.board} />}
        </span>
        <span class="own-game-text">
          <span class="own-game-head">
            {your_move && <MoveTimeLeft deadline_ms={table.deadline_ms} />}
            {your_move && table.deadline_ms === null && text.table.yourMove}
            {!your_move && (phase === 'open' ? text.table.seatsTaken(taken, seats.length) : text.games.toMove(mover === null ? '' : nameOf(mover)))}
          </span>
          <span class="own-game-players">{text.calls.inMatch(settings.variant, names)}</span>
          <span class="own-game-last">{state === null ? '' : lastSentence(state)}</span>
          <span class="quiet own-game-settings">{[timeControlText(settings), ...unusualSettings(settings)].join(' · ')}</span>
        </span>
      </a>
    </li>
  );
}
