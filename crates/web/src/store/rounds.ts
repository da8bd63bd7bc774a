import type { Cause, Color, Entry } from '../protocol/generated.ts';

/** The entry of one color in a round. */
export interface RoundCell {
  /** The event number of the move. */
  readonly seq: number | null;
  readonly text: string | null;
  /** The cause, if the color was eliminated in this round. */
  readonly elimination: Cause | null;
}

/** A round of the move list, with an entry for each color. */
export interface Round {
  readonly number: number;
  readonly cells: Partial<Record<Color, RoundCell>>;
}

interface OpenRound {
  readonly number: number;
  readonly cells: Partial<Record<Color, RoundCell>>;
  /**
   * The column of the last entry that was in turn order: a move, or an elimination on the player's
   * own turn.
   */
  column: number;
}

/**
 * Returns the colors as columns of the move list: in turn order from the player who moves first.
 */
export function columnsOf(seats: readonly Color[], history: readonly Entry[]): Color[] {
  const startEntry = history.find((entry) => entry.event.type === 'started');
  const first = startEntry?.event.type === 'started' ? seats.indexOf(startEntry.event.first_player) : 0;
  return [...seats.slice(first), ...seats.slice(0, first)];
}

/**
 * Returns a history as rounds. A round begins when the first player who is not eliminated is to
 * move. If a player is eliminated on the player's own turn, the elimination is an entry in turn
 * order. If it happens on another player's turn, the entry is in the current round.
 */
export function roundsOf(columns: readonly Color[], history: readonly Entry[]): Round[] {
  const rounds: OpenRound[] = [];
  const eliminatedColors = new Set<Color>();
  let turn = columns[0];
  for (const { event, seq, notation } of withoutTakenBack(history)) {
    if (event.type === 'moved') {
      setCell(roundForTurn(rounds, columns.indexOf(event.color)), event.color, { seq, text: notation ?? event.move, elimination: null });
      turn = nextColor(event.color, columns, eliminatedColors);
    } else if (event.type === 'eliminated') {
      eliminatedColors.add(event.color);
      const cell: RoundCell = { seq: null, text: null, elimination: event.cause };
      if (event.color !== turn) {
        setCell(rounds.at(-1) ?? openRound(rounds), event.color, cell);
        continue;
      }
      setCell(roundForTurn(rounds, columns.indexOf(event.color)), event.color, cell);
      turn = nextColor(event.color, columns, eliminatedColors);
    }
  }
  return rounds;
}

/** Returns a history without the moves that were taken back. */
function withoutTakenBack(history: readonly Entry[]): Entry[] {
  const entries: Entry[] = [];
  for (const entry of history) {
    if (entry.event.type !== 'taken_back') entries.push(entry);
    else for (let left = entry.event.plies; left > 0; left -= 1) dropLastMove(entries);
  }
  return entries;
}

function dropLastMove(entries: Entry[]): void {
  entries.splice(entries.findLastIndex(({ event }) => event.type === 'moved'), 1);
}

function roundForTurn(rounds: OpenRound[], column: number): OpenRound {
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

function setCell(round: OpenRound, color: Color, cell: RoundCell): void {
  const existing = round.cells[color];
  round.cells[color] = existing === undefined ? cell : { ...existing, elimination: cell.elimination };
}

function nextColor(color: Color, columns: readonly Color[], eliminated: ReadonlySet<Color>): Color | undefined {
  const from = columns.indexOf(color) + 1;
  return [...columns.slice(from), ...columns.slice(0, from)].find((seat) => !eliminated.has(seat));
}
