import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Cause } from '../../protocol/generated.ts';
import { columnsOf, roundsOf, type Round, type RoundCell } from '../../store/rounds.ts';
import type { ReplayCursor } from '../../store/replay-cursor.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { useStableElements } from '../stable-elements.ts';
import { clockText } from './clock.tsx';

/**
 * The greatest distance between the scroll position and the end, in CSS pixels, at which the list
 * follows new moves.
 */
const NEAR_END_PX = 40;

interface MoveListProps {
  readonly state: TableState;
  readonly cursor: ReplayCursor;
  /**
   * The thinking time of each move in milliseconds, by its event number; not displayed if missing.
   */
  readonly times?: ReadonlyMap<number, number>;
}

/**
 * The moves in rounds, with a column for each seat and with the eliminations. A click on a move
 * shows the position after the move. The Tab key skips the moves, because the arrow keys step
 * through them.
 */
export function MoveList({ state, cursor, times }: MoveListProps): JSX.Element | null {
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const lastScrollTop = useRef(0);
  const columns = useMemo(
    () => columnsOf(state.seats.map((seat) => seat.color), state.history),
    [state.seats, state.history],
  );
  const rounds = useMemo(() => roundsOf(columns, state.history), [columns, state.history]);
  const plyBySeq = useMemo(() => new Map(state.plies.map((ply, index) => [ply.seq, { ply, after: index + 1 }])), [state.plies]);
  const shown = cursor.ply.value;
  const current = shown ?? state.plies.length;
  const isOpen = state.state.phase === 'open';
  const isLive = shown === null;

  // Follows new moves while the viewer is at the end of the list. A resize observer runs after the
  // layout, so scrolling there causes no second layout.
  useEffect(() => {
    const list = scroller.current;
    if (list === null || !isLive) return undefined;
    // Scrolls to the end when the viewer returns to the latest position.
    isAtEnd.current = true;
    if (!('ResizeObserver' in globalThis)) return undefined;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) list.scrollTop = list.scrollHeight;
    });
    // The list changes its size when moves are added or when its surroundings change.
    for (const element of [list, ...list.children]) observer.observe(element);
    return () => observer.disconnect();
  }, [isLive, isOpen]);

  useLayoutEffect(() => {
    const list = scroller.current;
    if (list === null) return;
    if (shown === null && !('ResizeObserver' in globalThis)) list.scrollTop = list.scrollHeight;
    if (shown !== null) scrollToMove(list, list.querySelector<HTMLElement>('[data-current="true"]'));
  }, [rounds, shown]);

  const stableRound = useStableElements();
  const roundElement = (round: Round): JSX.Element => {
    const cells = columns.map((color) => ({ color, text: cellText(round.cells[color]) }));
    const dependencies = cells.flatMap(({ color, text: props }) => (props === null ? [color, null] : [color, ...Object.values(props)]));
    return stableRound(String(round.number), dependencies, () => (
      <tr key={round.number}>
        <th scope="row" class="round-number">
          {round.number}
        </th>
        {cells.map(({ color, text: props }) => (
          <td key={color} data-color={color}>
            {props !== null && <CellText {...props} />}
          </td>
        ))}
      </tr>
    ));
  };
  const cellText = (cell: RoundCell | undefined): CellTextProps | null => {
    if (cell === undefined) return null;
    const ply = plyBySeq.get(cell.seq ?? 0);
    return {
      text: cell.text,
      after: ply?.after,
      isCurrent: ply?.after === current,
      isEnPassant: ply?.ply.isEnPassant === true,
      time_ms: times?.get(cell.seq ?? 0),
      elimination: cell.elimination,
    };
  };

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
        // The viewer leaves the end only by scrolling back. The distance from the end does not
        // prove this, because the event of an earlier scroll may arrive after the list has grown.
        const isNear = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX;
        if (isNear || list.scrollTop < lastScrollTop.current) isAtEnd.current = isNear;
        lastScrollTop.current = list.scrollTop;
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
          {rounds.map(roundElement)}
        </tbody>
      </table>
      {rounds.length === 0 && <p class="quiet">{text.table.noMoves}</p>}
    </div>
  );
}

/**
 * The properties of a cell. All values are primitive, so a cell is rendered again only if one of
 * them changes.
 */
interface CellTextProps {
  readonly text: string | null;
  /** The number of moves up to and including this move; `undefined` if the move was taken back. */
  readonly after: number | undefined;
  /** Set if this is the last move before the displayed position. */
  readonly isCurrent: boolean;
  readonly isEnPassant: boolean;
  /** The thinking time, in milliseconds. */
  readonly time_ms: number | undefined;
  /** The cause of the player's elimination. */
  readonly elimination: Cause | null;
}

function CellText({ text: move, after, isCurrent, isEnPassant, time_ms, elimination }: CellTextProps): JSX.Element {
  return (
    <>
      {move !== null && (
        <span class="move" data-after={after} data-current={isCurrent}>
          {move}
          {isEnPassant && <small class="en-passant"> {text.table.inPassing}</small>}
        </span>
      )}
      {time_ms !== undefined && <small class="move-time">{clockText(time_ms)}</small>}
      {elimination !== null && <span class="elimination">{text.shortCauses[elimination]}</span>}
    </>
  );
}

/** Scrolls the list, and nothing around it, until a move is visible. */
function scrollToMove(list: HTMLElement, move: HTMLElement | null): void {
  if (move === null) {
    list.scrollTop = 0;
    return;
  }
  const [outer, inner] = [list.getBoundingClientRect(), move.getBoundingClientRect()];
  const head = list.querySelector('thead')?.clientHeight ?? 0;
  if (inner.top < outer.top + head) list.scrollTop -= outer.top + head - inner.top + 8;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 8;
}
