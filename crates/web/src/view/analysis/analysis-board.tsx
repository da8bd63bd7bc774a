import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { Color, EliminatedView, ExploredPly, SeatView, Side, Square, StateView } from '../../protocol/generated.ts';
import type { Analysis, NodeFacts } from '../../store/analysis/analysis.ts';
import type { AnalysisRoot } from '../../store/analysis/analysis-root.ts';
import { pathTo } from '../../store/analysis/line-tree.ts';
import { kingOf, type Pieces } from '../../store/pieces.ts';
import { parseMove } from '../../store/moves.ts';
import type { EngineStatus } from '../../store/engine.ts';
import { text } from '../../text/index.ts';
import { Board } from '../board/board.tsx';
import { Edges } from '../board/edges.tsx';
import { Layout } from '../board/geometry.ts';
import type { MoveMark } from '../board/marks.ts';
import { OrientationStatus } from '../board/orientation.tsx';
import { Promotion } from '../board/promotion.tsx';
import { placeNote } from '../board/plate-note.tsx';
import { StaticPlate } from '../board/static-plate.tsx';
import { ScoreBar } from '../engine/score-bar.tsx';
import { bestMoveArrow } from '../engine/evaluation-text.ts';
import { CapturedPieces } from '../table/captured-pieces.tsx';
import { Reserve } from '../table/reserve.tsx';
import { SeatLamps } from '../table/seat-indicators.tsx';
import type { AnalysisInput } from './analysis-input.ts';

interface AnalysisBoardProps {
  readonly analysis: Analysis;
  readonly root: AnalysisRoot;
  readonly input: AnalysisInput;
  readonly bottom: Side;
  /** The state of the engine's analysis. */
  readonly engineStatus: EngineStatus;
}

interface BoardMarks {
  readonly turn: Color | null;
  readonly checks: readonly Color[];
  readonly eliminated: readonly EliminatedView[];
  readonly marks: ReadonlyMap<Square, MoveMark>;
  readonly checkMarks: ReadonlySet<Square>;
}

/** The state of a position that the server has not explored yet. */
const RUNNING: StateView = { phase: 'running', active_players: [], eliminated: [], checks: [], can_claim_draw: false };
const NO_MARKS: ReadonlySet<Square> = new Set();

/** The board of the analysis with its seats. Moves of every color can be played. */
export function AnalysisBoard({ analysis, root, input, bottom, engineStatus }: AnalysisBoardProps): JSX.Element {
  const layout = useMemo(() => new Layout(root.board, bottom), [root.board, bottom]);
  const pieces = analysis.pieces.value;
  const facts = analysis.currentFacts.value;
  const line = useLine(analysis);
  const { turn, checks, eliminated, marks, checkMarks } = useMemo(
    () => boardMarks(root, line, facts, pieces),
    [root, line, facts, pieces],
  );
  const choice = input.promotionChoice.value;
  const node = analysis.currentNode.value;
  // The choice of a promotion is canceled when another node is displayed.
  useEffect(() => input.cancelPromotion(), [input, node]);

  const seatNote = ({ color }: SeatView): readonly string[] => {
    const elimination = eliminated.find((one) => one.color === color);
    const rank = facts?.state.outcome?.places[color];
    if (rank !== undefined) return placeNote(rank, elimination?.cause);
    if (elimination !== undefined) return [text.causes[elimination.cause]];
    if (turn === color) return [text.table.turn];
    return root.players[color] === undefined ? [] : [text.colors[color]];
  };

  const reserveOf = (seat: SeatView): JSX.Element | null => {
    const reserve = facts?.state.reserves?.[seat.color];
    return reserve === undefined ? null : <Reserve seat={seat} reserve={reserve} />;
  };

  return (
    <div class="board-space" data-cut={layout.cornerSize > 0} data-bar={engineStatus.kind !== 'off'}>
      <OrientationStatus seats={root.seats} bottom={bottom} />
      <div class="board-frame" data-corner={layout.cornerSize} style={{ '--columns': layout.columns, '--corner': layout.cornerSize }}>
        {root.seats.map((seat) => {
          const inMatch = !eliminated.some((one) => one.color === seat.color);
          return (
            <StaticPlate
              key={seat.color}
              color={seat.color}
              name={root.players[seat.color] ?? text.colors[seat.color]}
              screenSide={layout.screenSideOf(seat.side)}
              isToMove={turn === seat.color}
              inMatch={inMatch}
              note={seatNote(seat)}
            >
              <SeatLamps state={{ state: { ...RUNNING, checks: [...checks], eliminated: [...eliminated], ...facts?.state } }} color={seat.color} />
              {reserveOf(seat)}
            </StaticPlate>
          );
        })}
        <div class="board-box">
          <Board
            layout={layout}
            seats={root.seats}
            pieces={pieces}
            playable={analysis.legal.value}
            moveMarks={marks}
            premoveMarks={NO_MARKS}
            checkMarks={checkMarks}
            attacks={line.at(-1)?.attacks ?? []}
            hint={bestMoveArrow(engineStatus)}
            onMove={(from, to) => void input.playParts({ from, to, promotion: null })}
            onPress={() => undefined}
            attributes={{ 'data-turn': turn ?? '', 'data-variant': root.variant, 'data-seq': node, 'data-dimmed': String(choice !== null) }}
          />
          <ScoreBar engineStatus={engineStatus} seats={root.seats} layout={layout} />
          <Edges layout={layout} seats={root.seats} turn={turn} />
          {choice !== null && turn !== null && (
            <Promotion
              layout={layout}
              color={turn}
              to={choice.to}
              choices={choice.choices}
              reserve={facts?.state.reserves?.[turn] ?? null}
              onChoose={(letter) => input.choosePromotion(letter)}
              onCancel={() => input.cancelPromotion()}
            />
          )}
        </div>
      </div>
      <CapturedPieces seats={root.seats}>{reserveOf}</CapturedPieces>
    </div>
  );
}

/** Returns the explored moves that lead to the current node. */
function useLine(analysis: Analysis): readonly ExploredPly[] {
  const [tree, at, plies] = [analysis.tree.value, analysis.currentNode.value, analysis.plies.value];
  return useMemo(() => pathTo(tree, at).flatMap((node) => plies[node] ?? []), [tree, at, plies]);
}

/**
 * Returns the marks of the current node. Until the server has explored the node, they are computed
 * from the moves of the line.
 */
function boardMarks(root: AnalysisRoot, line: readonly ExploredPly[], facts: NodeFacts | null, pieces: Pieces): BoardMarks {
  const checks = facts?.state.checks ?? line.at(-1)?.checks ?? [];
  const eliminated = [...root.start_eliminated, ...line.flatMap((ply): EliminatedView[] => ply.eliminated ?? [])];
  const kings = checks.map((color) => kingOf(pieces, color)).filter((square) => square !== null);
  return { turn: facts?.state.turn ?? null, checks, eliminated, marks: lastMoveMarks(line, eliminated), checkMarks: new Set(kings) };
}

/**
 * Returns the squares of the last move of each color that is not eliminated. If two moves share a
 * square, it has the mark of the newer move.
 */
function lastMoveMarks(line: readonly ExploredPly[], eliminated: readonly EliminatedView[]): ReadonlyMap<Square, MoveMark> {
  const last = new Map<Color, ExploredPly>();
  for (const ply of line) {
    last.delete(ply.color);
    last.set(ply.color, ply);
  }
  const marks = new Map<Square, MoveMark>();
  for (const { color, move: mv } of last.values()) {
    const parts = parseMove(mv);
    if (parts === null || eliminated.some((one) => one.color === color)) continue;
    marks.set(parts.from, { color, end: 'from' });
    marks.set(parts.to, { color, end: 'to' });
  }
  return marks;
}
