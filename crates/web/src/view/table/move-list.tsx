import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { columnsOf, roundsOf, type RoundCell } from '../../store/rounds.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';

/** Within this many pixels of its end a list counts as read to the end. */
const NEAR_END_PX = 40;

/** The moves in rounds, a column for each seat from the beginner on, with the exits in their places. */
export function MoveList({ state }: { state: TableState }): JSX.Element | null {
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const columns = useMemo(
    () => columnsOf(state.seats.map((seat) => seat.color), state.history),
    [state.seats, state.history],
  );
  const rounds = useMemo(() => roundsOf(columns, state.history), [columns, state.history]);
  const latest = state.plies.at(-1)?.seq;

  useLayoutEffect(() => {
    const list = scroller.current;
    if (list !== null && atEnd.current) list.scrollTop = list.scrollHeight;
  }, [rounds]);

  if (state.state.phase === 'open') return null;
  return (
    <div
      ref={scroller}
      class="moves"
      tabIndex={0}
      role="region"
      aria-label={text.table.moves}
      data-testid="moves"
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
                  <CellText cell={round.cells[color]} latest={latest} />
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

function CellText({ cell, latest }: { cell: RoundCell | undefined; latest: number | undefined }): JSX.Element | null {
  if (cell === undefined) return null;
  return (
    <>
      {cell.text !== null && (
        <span class="move" data-latest={cell.seq === latest}>
          {cell.text}
        </span>
      )}
      {cell.exit !== null && <span class="exit">{text.marks[cell.exit]}</span>}
    </>
  );
}
