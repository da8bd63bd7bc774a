import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { SeatView, Side, Square } from '../../protocol/generated.ts';
import type { EngineStatus } from '../../store/engine.ts';
import { LegalMoves } from '../../store/moves.ts';
import { isActive, type TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { Board } from '../board/board.tsx';
import { Layout } from '../board/geometry.ts';
import { attacksIn, checkMarks, moveMarks } from '../board/marks.ts';
import { StillPlate } from '../board/still-plate.tsx';
import { ScoreBar } from '../engine/score-bar.tsx';
import { hintOf } from '../engine/words.ts';
import { Clock } from '../table/clock.tsx';
import { CapturedPieces } from '../table/captured-pieces.tsx';
import { SeatCaptures } from '../table/seat-captures.tsx';
import { Lamps } from '../table/seat-indicators.tsx';
import { BotSign } from '../user-name.tsx';

const SIDES: readonly Side[] = ['south', 'west', 'north', 'east'];
const NOTHING = new LegalMoves([]);
const NO_SQUARES: ReadonlySet<Square> = new Set();

interface ReplayBoardProps {
  readonly shown: TableState;
  readonly quarters: number;
  /** The engine's analysis. */
  readonly thought: EngineStatus;
}

/** The board of a match where one looks, with the seats around it as they stood then. */
export function ReplayBoard({ shown, quarters, thought }: ReplayBoardProps): JSX.Element {
  const bottom = SIDES[quarters % SIDES.length] ?? 'south';
  const layout = useMemo(() => new Layout(shown.board, bottom), [shown.board, bottom]);
  const marks = useMemo(() => moveMarks(shown), [shown]);
  const checks = useMemo(() => checkMarks(shown, shown.pieces), [shown]);
  const attacks = useMemo(() => attacksIn(shown), [shown]);
  const { turn } = shown.state;
  const turnSide = shown.seats.find((seat) => seat.color === turn)?.side;
  return (
    <div class="board-space" data-cut={layout.corner > 0} data-bar={thought.kind !== 'off'}>
      <div class="board-frame" data-corner={layout.corner} style={{ '--columns': layout.columns, '--corner': layout.corner }}>
        {shown.seats.map((seat) => {
          return (
            <StillPlate
              key={seat.color}
              color={seat.color}
              name={seat.user?.name ?? text.colors[seat.color]}
              place={layout.placeOf(seat.side)}
              turn={turn === seat.color}
              inMatch={isActive(shown, seat.color)}
              note={noteOf(shown, seat)}
              signs={seat.user?.bot !== undefined && <BotSign />}
              clock={<Clock state={shown} color={seat.color} />}
            >
              <Lamps state={shown} color={seat.color} />
              <SeatCaptures state={shown} seat={seat} />
            </StillPlate>
          );
        })}
        <div class="board-box">
          <Board
            layout={layout}
            seats={shown.seats}
            pieces={shown.pieces}
            playable={NOTHING}
            moveMarks={marks}
            premoveMarks={NO_SQUARES}
            checkMarks={checks}
            attacks={attacks}
            hint={hintOf(thought)}
            onGo={() => undefined}
            onTouch={() => undefined}
            grid={{ 'data-seq': shown.seq, 'data-turn': turn ?? '', 'data-variant': shown.settings.variant }}
          />
          <ScoreBar thought={thought} seats={shown.seats} layout={layout} />
          {turnSide !== undefined && (
            <div class="edge" data-place={layout.placeOf(turnSide)} data-color={turn} aria-hidden="true" />
          )}
        </div>
      </div>
      <CapturedPieces seats={shown.seats}>{(seat) => <SeatCaptures state={shown} seat={seat} />}</CapturedPieces>
    </div>
  );
}

/** The one thing most worth knowing about a seat. */
function noteOf({ state }: TableState, { color }: SeatView): string {
  const out = state.eliminated.find((one) => one.color === color);
  const rank = state.outcome?.places[color];
  if (rank !== undefined) return out === undefined ? text.place(rank) : `${text.place(rank)} · ${text.causes[out.cause]}`;
  if (out !== undefined) return text.causes[out.cause];
  return state.turn === color ? text.table.turn : text.colors[color];
}
