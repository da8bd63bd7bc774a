import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Cause } from '../../protocol/generated.ts';
import { columnsOf, roundsOf } from '../../store/rounds.ts';
import type { ReplayCursor } from '../../store/replay-cursor.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { clockText } from './clock.tsx';

/** Within this many pixels of its end a list counts as read to the end. */
const NEAR_END_PX = 40;

interface MoveListProps {
  readonly state: TableState;
  readonly cursor: ReplayCursor;
  /**
   * Thinking time of each move, milliseconds, by the number of its event; not shown if not given.
   */
  readonly times?: ReadonlyMap<number, number>;
}

/**
 * The moves in rounds, a column for each seat from the beginner on, with the exits in their places. Pressing a move shows
 * the board after it; keys have the arrows for that, so the moves are no stops of Tab.
 */
export function MoveList({ state, cursor, times }: MoveListProps): JSX.Element | null {
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const top = useRef(0);
  const columns = useMemo(
    () => columnsOf(state.seats.map((seat) => seat.color), state.history),
    [state.seats, state.history],
  );
  const rounds = useMemo(() => roundsOf(columns, state.history), [columns, state.history]);
  const places = useMemo(() => new Map(state.plies.map((ply, index) => [ply.seq, { ply, after: index + 1 }])), [state.plies]);
  const shown = cursor.ply.value;
  const current = shown ?? state.plies.length;
  const isOpen = state.state.phase === 'open';
  const isLive = shown === null;

  // At the end it stays there as it grows. What it then measures has just been laid out: nobody waits for that twice.
  useEffect(() => {
    const list = scroller.current;
    if (list === null || !isLive) return undefined;
    // Who comes back to the present is shown it.
    atEnd.current = true;
    if (!('ResizeObserver' in globalThis)) return undefined;
    const observer = new ResizeObserver(() => {
      if (atEnd.current) list.scrollTop = list.scrollHeight;
    });
    // The moves become more, or what stands around them takes some of their room.
    for (const element of [list, ...list.children]) observer.observe(element);
    return () => observer.disconnect();
  }, [isLive, isOpen]);

  useLayoutEffect(() => {
    const list = scroller.current;
    if (list === null) return;
    if (shown === null && !('ResizeObserver' in globalThis)) list.scrollTop = list.scrollHeight;
    if (shown !== null) keepInSight(list, list.querySelector<HTMLElement>('[data-current="true"]'));
  }, [rounds, shown]);

  if (isOpen) return null;
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
        if (after !== undefined) cursor.goTo(Number(after));
      }}
      onScroll={({ currentTarget: list }) => {
        // It is left by scrolling back alone: what is told of an earlier scroll may come after the list has grown.
        const isNear = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX;
        if (isNear || list.scrollTop < top.current) atEnd.current = isNear;
        top.current = list.scrollTop;
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
              {columns.map((color) => {
                const cell = round.cells[color];
                const place = places.get(cell?.seq ?? 0);
                return (
                  <td key={color} data-color={color}>
                    {cell !== undefined && (
                      <CellText
                        text={cell.text}
                        after={place?.after}
                        isCurrent={place?.after === current}
                        isInPassing={place?.ply.isEnPassant === true}
                        time={times?.get(cell.seq ?? 0)}
                        exit={cell.elimination}
                      />
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rounds.length === 0 && <p class="quiet">{text.table.noMoves}</p>}
    </div>
  );
}

/** Values alone, so that a cell is drawn again only when its own have changed. */
interface CellTextProps {
  readonly text: string | null;
  /** Number of moves up to it, if it still stands. */
  readonly after: number | undefined;
  /** Set if it is the last one that the board shows. */
  readonly isCurrent: boolean;
  readonly isInPassing: boolean;
  /** Its thinking time, milliseconds. */
  readonly time: number | undefined;
  /** Reason of its player's elimination. */
  readonly exit: Cause | null;
}

function CellText({ text: move, after, isCurrent, isInPassing, time, exit }: CellTextProps): JSX.Element {
  return (
    <>
      {move !== null && (
        <span class="move" data-after={after} data-current={isCurrent}>
          {move}
          {isInPassing && <small class="en-passant"> {text.table.inPassing}</small>}
        </span>
      )}
      {time !== undefined && <small class="move-time">{clockText(time)}</small>}
      {exit !== null && <span class="elimination">{text.marks[exit]}</span>}
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
