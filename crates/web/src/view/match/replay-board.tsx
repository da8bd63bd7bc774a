import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { SeatView, Side, Square } from '../../protocol/generated.ts';
import type { EngineStatus } from '../../store/engine.ts';
import { LegalMoves } from '../../store/moves.ts';
import { isActive, momentOf, type TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { Board } from '../board/board.tsx';
import { Edges } from '../board/edges.tsx';
import { Layout } from '../board/geometry.ts';
import { OrientationStatus } from '../board/orientation.tsx';
import type { SquareArrow } from '../board/overlay.tsx';
import { attacksAfterLastEvent, checkMarks, moveMarks } from '../board/marks.ts';
import { placeNote } from '../board/plate-note.tsx';
import { StaticPlate } from '../board/static-plate.tsx';
import { ScoreBar } from '../engine/score-bar.tsx';
import { Clock } from '../table/clock.tsx';
import { CapturedPieces } from '../table/captured-pieces.tsx';
import { SeatCaptures } from '../table/seat-captures.tsx';
import { SeatLamps } from '../table/seat-indicators.tsx';
import { PlayerName } from '../people/player-name.tsx';
import { BotIcon } from '../user-name.tsx';

const SIDES: readonly Side[] = ['south', 'west', 'north', 'east'];
const NO_MOVES = new LegalMoves([]);
const NO_SQUARES: ReadonlySet<Square> = new Set();

interface ReplayBoardProps {
  /** The state of the match at the displayed ply. */
  readonly shownState: TableState;
  readonly quarterTurns: number;
  /** The state of the engine's analysis. */
  readonly engineStatus: EngineStatus;
  /**
   * The arrow for the engine's best move, or for a move that would have been better than the last
   * move.
   */
  readonly arrow: SquareArrow | null;
}

/** The board and the seats of a match at the displayed ply. */
export function ReplayBoard({ shownState, quarterTurns, engineStatus, arrow }: ReplayBoardProps): JSX.Element {
  const bottom = SIDES[quarterTurns % SIDES.length] ?? 'south';
  const layout = useMemo(() => new Layout(shownState.board, bottom), [shownState.board, bottom]);
  const marks = useMemo(() => moveMarks(shownState), [shownState]);
  const checks = useMemo(() => checkMarks(shownState, shownState.pieces), [shownState]);
  const attacks = useMemo(() => attacksAfterLastEvent(shownState), [shownState]);
  const { turn } = shownState.state;
  return (
    <div class="board-space" data-cut={layout.cornerSize > 0} data-bar={engineStatus.kind !== 'off'}>
      <OrientationStatus seats={shownState.seats} bottom={bottom} />
      <div class="board-frame" data-corner={layout.cornerSize} style={{ '--columns': layout.columns, '--corner': layout.cornerSize }}>
        {shownState.seats.map((seat) => {
          return (
            <StaticPlate
              key={seat.color}
              color={seat.color}
              name={seat.user === null ? text.colors[seat.color] : nameOf(seat.user)}
              shownName={
                seat.user === null ? undefined : (
                  <PlayerName user={seat.user} moment={momentOf(shownState)}>
                    {nameOf(seat.user)}
                  </PlayerName>
                )
              }
              screenSide={layout.screenSideOf(seat.side)}
              isToMove={turn === seat.color}
              inMatch={isActive(shownState, seat.color)}
              note={seatNote(shownState, seat)}
              icons={seat.user?.bot !== undefined && <BotIcon />}
              clock={<Clock state={shownState} color={seat.color} />}
            >
              <SeatLamps state={shownState} color={seat.color} />
              <SeatCaptures state={shownState} seat={seat} />
            </StaticPlate>
          );
        })}
        <div class="board-box">
          <Board
            layout={layout}
            seats={shownState.seats}
            pieces={shownState.pieces}
            playable={NO_MOVES}
            moveMarks={marks}
            premoveMarks={NO_SQUARES}
            checkMarks={checks}
            attacks={attacks}
            hint={arrow}
            onMove={() => undefined}
            onPress={() => undefined}
            attributes={{ 'data-seq': shownState.seq, 'data-turn': turn ?? '', 'data-variant': shownState.settings.variant }}
          />
          <ScoreBar engineStatus={engineStatus} seats={shownState.seats} layout={layout} />
          <Edges layout={layout} seats={shownState.seats} turn={turn} />
        </div>
      </div>
      <CapturedPieces seats={shownState.seats}>{(seat) => <SeatCaptures state={shownState} seat={seat} />}</CapturedPieces>
    </div>
  );
}

/** Returns the most important fact about a seat. */
function seatNote({ state }: TableState, { color }: SeatView): readonly string[] {
  const elimination = state.eliminated.find((one) => one.color === color);
  const rank = state.outcome?.places[color];
  if (rank !== undefined) return placeNote(rank, elimination?.cause);
  if (elimination !== undefined) return [text.causes[elimination.cause]];
  return [state.turn === color ? text.table.turn : text.colors[color]];
}
