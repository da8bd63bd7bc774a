import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { columnsOf, roundsOf, type RoundCell } from '../../store/rounds.ts';
import type { Looking } from '../../store/looking.ts';
import type { Ply } from '../../store/replay.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { clockText } from './clock.tsx';

/** Within this many pixels of its end a list counts as read to the end. */
const NEAR_END_PX = 40;

interface MoveListProps {
  readonly state: TableState;
  readonly looking: Looking;
  /** How long each move was thought about, milliseconds, by the number of its event; not told if not given. */
  readonly times?: ReadonlyMap<number, number>;
}

/**
 * The moves in rounds, a column for each seat from the beginner on, with the exits in their places. Pressing a move shows
 * the board after it; keys have the arrows for that, so the moves are no stops of Tab.
 */
export function MoveList({ state, looking, times }: MoveListProps): JSX.Element | null {
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const columns = useMemo(
    () => columnsOf(state.seats.map((seat) => seat.color), state.history),
    [state.seats, state.history],
  );
  const rounds = useMemo(() => roundsOf(columns, state.history), [columns, state.history]);
  const places = useMemo(() => new Map(state.plies.map((ply, index) => [ply.seq, { ply, after: index + 1 }])), [state.plies]);
  const shown = looking.ply.value;
  const current = shown ?? state.plies.length;

  useLayoutEffect(() => {
    const list = scroller.current;
    if (list === null) return;
    if (shown === null) {
      if (atEnd.current) list.scrollTop = list.scrollHeight;
      return;
    }
    const move = list.querySelector<HTMLElement>('[data-current="true"]');
    keepInSight(list, move);
  }, [rounds, shown]);

  if (state.state.phase === 'open') return null;
  return (
    <div
      ref={scroller}
      class="moves"
      tabIndex={0}
      role="region"
      aria-label={text.table.moves}
      data-testid="moves"
      onClick={({ target }) => {
        const after = target instanceof Element ? target.closest<HTMLElement>('[data-after]')?.dataset['after'] : undefined;
        if (after !== undefined) looking.goTo(Number(after));
      }}
      onScroll={({ currentTarget: list }) => {
        atEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX;
      }}
    >
      <table class="rounds">
        <thead>
          <tr>
            <th class="round-number" aria-hidden="true" />
            {columns.map((color) => (
              <th key={color} scope="col" data-color={color}>
                {text.colors[color]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rounds.map((round) => (
            <tr key={round.number}>
              <th scope="row" class="round-number">
                {round.number}
              </th>
              {columns.map((color) => (
                <td key={color} data-color={color}>
                  <CellText cell={round.cells[color]} places={places} current={current} time={times?.get(round.cells[color]?.seq ?? 0)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rounds.length === 0 && <p class="quiet">{text.table.noMoves}</p>}
    </div>
  );
}

interface CellTextProps {
  readonly cell: RoundCell | undefined;
  /** Each move by its event, and how many moves there are up to it. */
  readonly places: ReadonlyMap<number, { readonly ply: Ply; readonly after: number }>;
  /** After how many moves the board is shown. */
  readonly current: number;
  /** How long it was thought about, milliseconds. */
  readonly time: number | undefined;
}

function CellText({ cell, places, current, time }: CellTextProps): JSX.Element | null {
  if (cell === undefined) return null;
  const place = cell.seq === null ? undefined : places.get(cell.seq);
  return (
    <>
      {cell.text !== null && (
        <span class="move" data-after={place?.after} data-current={place?.after === current}>
          {cell.text}
          {place?.ply.isInPassing === true && <small class="in-passing"> {text.table.inPassing}</small>}
        </span>
      )}
      {time !== undefined && <small class="move-time">{clockText(time)}</small>}
      {cell.exit !== null && <span class="exit">{text.marks[cell.exit]}</span>}
    </>
  );
}

/** Scrolls a list, and nothing around it, until one of its moves is seen. */
function keepInSight(list: HTMLElement, move: HTMLElement | null): void {
  if (move === null) {
    list.scrollTop = 0;
    return;
  }
  const [outer, inner] = [list.getBoundingClientRect(), move.getBoundingClientRect()];
  const head = list.querySelector('thead')?.clientHeight ?? 0;
  if (inner.top < outer.top + head) list.scrollTop -= outer.top + head - inner.top + 8;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 8;
}
