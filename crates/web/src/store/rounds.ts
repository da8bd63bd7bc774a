import type { Cause, Color, Entry } from '../protocol/generated.ts';

/** The entry of a seat in a round. */
export interface RoundCell {
  /** The move, by the number of its event. */
  readonly seq: number | null;
  readonly text: string | null;
  /** The elimination of the seat in this round. */
  readonly exit: Cause | null;
}

/** One round: a number and a place for each seat. */
export interface Round {
  readonly number: number;
  readonly cells: Partial<Record<Color, RoundCell>>;
}

interface OpenRound {
  readonly number: number;
  readonly cells: Partial<Record<Color, RoundCell>>;
  /** The column of the last move or exit made in turn. */
  column: number;
}

/** The seats as columns of the move list: in turn order from the beginner. */
export function columnsOf(seats: readonly Color[], history: readonly Entry[]): Color[] {
  const started = history.find((entry) => entry.event.type === 'started');
  const first = started?.event.type === 'started' ? seats.indexOf(started.event.first_player) : 0;
  return [...seats.slice(first), ...seats.slice(0, first)];
}

/**
 * Arranges a history in rounds: a new one whenever the first seat still in comes to move. A seat that goes out on its
 * own turn is marked in its place; one that goes out on another's turn is marked where the round stands.
 */
export function roundsOf(columns: readonly Color[], history: readonly Entry[]): Round[] {
  const rounds: OpenRound[] = [];
  const out = new Set<Color>();
  let turn = columns[0];
  for (const { event, seq, notation } of standing(history)) {
    if (event.type === 'moved') {
      put(placeInTurn(rounds, columns.indexOf(event.color)), event.color, { seq, text: notation ?? event.move, exit: null });
      turn = nextAfter(event.color, columns, out);
    } else if (event.type === 'eliminated') {
      out.add(event.color);
      const mark: RoundCell = { seq: null, text: null, exit: event.cause };
      if (event.color !== turn) {
        put(rounds.at(-1) ?? openRound(rounds), event.color, mark);
        continue;
      }
      put(placeInTurn(rounds, columns.indexOf(event.color)), event.color, mark);
      turn = nextAfter(event.color, columns, out);
    }
  }
  return rounds;
}

/** A history without the moves that were taken back. */
function standing(history: readonly Entry[]): Entry[] {
  const kept: Entry[] = [];
  for (const entry of history) {
    if (entry.event.type !== 'taken_back') kept.push(entry);
    else for (let left = entry.event.plies; left > 0; left -= 1) dropLastMove(kept);
  }
  return kept;
}

function dropLastMove(entries: Entry[]): void {
  entries.splice(entries.findLastIndex(({ event }) => event.type === 'moved'), 1);
}

function placeInTurn(rounds: OpenRound[], column: number): OpenRound {
  const current = rounds.at(-1);
  const round = current === undefined || column <= current.column ? openRound(rounds) : current;
  round.column = column;
  return round;
}

function openRound(rounds: OpenRound[]): OpenRound {
  const round: OpenRound = { number: rounds.length + 1, cells: {}, column: -1 };
  rounds.push(round);
  return round;
}

function put(round: OpenRound, color: Color, cell: RoundCell): void {
  const there = round.cells[color];
  round.cells[color] = there === undefined ? cell : { ...there, exit: cell.exit };
}

function nextAfter(color: Color, columns: readonly Color[], out: ReadonlySet<Color>): Color | undefined {
  const from = columns.indexOf(color) + 1;
  return [...columns.slice(from), ...columns.slice(0, from)].find((seat) => !out.has(seat));
}
