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
import { Layout } from '../board/geometry.ts';
import type { MoveMark } from '../board/marks.ts';
import { Promotion } from '../board/promotion.tsx';
import { StillPlate } from '../board/still-plate.tsx';
import { ScoreBar } from '../engine/score-bar.tsx';
import { hintOf } from '../engine/words.ts';
import { CapturedPieces } from '../table/captured-pieces.tsx';
import { Reserve } from '../table/reserve.tsx';
import { Lamps } from '../table/seat-indicators.tsx';
import type { AnalysisInput } from './trying.ts';

interface TryBoardProps {
  readonly analysis: Analysis;
  readonly ground: AnalysisRoot;
  readonly trying: AnalysisInput;
  readonly bottom: Side;
  /** The engine's analysis. */
  readonly thought: EngineStatus;
}

interface Shown {
  readonly turn: Color | null;
  readonly checks: readonly Color[];
  readonly out: readonly EliminatedView[];
  readonly marks: ReadonlyMap<Square, MoveMark>;
  readonly checkMarks: ReadonlySet<Square>;
}

/** State of a line before the server has explored it. */
const RUNNING: StateView = { phase: 'running', active_players: [], eliminated: [], checks: [], can_claim_draw: false };
const NO_MARKS: ReadonlySet<Square> = new Set();

/** The board on which moves are tried, for whoever's turn it is, with the seats around it. */
export function AnalysisBoard({ analysis, ground, trying, bottom, thought }: TryBoardProps): JSX.Element {
  const layout = useMemo(() => new Layout(ground.board, bottom), [ground.board, bottom]);
  const pieces = analysis.pieces.value;
  const outlook = analysis.currentFacts.value;
  const line = useLine(analysis);
  const { turn, checks, out, marks, checkMarks } = useMemo(
    () => shownAt(ground, line, outlook, pieces),
    [ground, line, outlook, pieces],
  );
  const choice = trying.choice.value;
  const at = analysis.currentNode.value;
  // A choice is about the board it was asked on.
  useEffect(() => trying.cancel(), [trying, at]);
  const turnSide = ground.seats.find((seat) => seat.color === turn)?.side;

  const note = ({ color }: SeatView): string => {
    const gone = out.find((one) => one.color === color);
    const rank = outlook?.state.outcome?.places[color];
    if (rank !== undefined) return gone === undefined ? text.place(rank) : `${text.place(rank)} · ${text.causes[gone.cause]}`;
    if (gone !== undefined) return text.causes[gone.cause];
    if (turn === color) return text.table.turn;
    return ground.players[color] === undefined ? '' : text.colors[color];
  };

  const reserveOf = (seat: SeatView): JSX.Element | null => {
    const reserve = outlook?.state.reserves?.[seat.color];
    return reserve === undefined ? null : <Reserve seat={seat} reserve={reserve} />;
  };

  return (
    <div class="board-space" data-cut={layout.corner > 0} data-bar={thought.kind !== 'off'}>
      <div class="board-frame" data-corner={layout.corner} style={{ '--columns': layout.columns, '--corner': layout.corner }}>
        {ground.seats.map((seat) => {
          const inMatch = !out.some((one) => one.color === seat.color);
          return (
            <StillPlate
              key={seat.color}
              color={seat.color}
              name={ground.players[seat.color] ?? text.colors[seat.color]}
              place={layout.placeOf(seat.side)}
              turn={turn === seat.color}
              inMatch={inMatch}
              note={note(seat)}
            >
              <Lamps state={{ state: { ...RUNNING, checks: [...checks], eliminated: [...out], ...outlook?.state } }} color={seat.color} />
              {reserveOf(seat)}
            </StillPlate>
          );
        })}
        <div class="board-box">
          <Board
            layout={layout}
            seats={ground.seats}
            pieces={pieces}
            playable={analysis.legal.value}
            moveMarks={marks}
            premoveMarks={NO_MARKS}
            checkMarks={checkMarks}
            attacks={line.at(-1)?.attacks ?? []}
            hint={hintOf(thought)}
            onGo={(from, to) => void trying.play({ from, to, promotion: null })}
            onTouch={() => undefined}
            grid={{ 'data-turn': turn ?? '', 'data-variant': ground.variant, 'data-seq': at }}
          />
          <ScoreBar thought={thought} seats={ground.seats} layout={layout} />
          {turnSide !== undefined && (
            <div class="edge" data-place={layout.placeOf(turnSide)} data-color={turn} aria-hidden="true" />
          )}
          {choice !== null && turn !== null && (
            <Promotion
              layout={layout}
              color={turn}
              to={choice.to}
              choices={choice.choices}
              reserve={outlook?.state.reserves?.[turn] ?? null}
              onChoose={(letter) => trying.choose(letter)}
              onCancel={() => trying.cancel()}
            />
          )}
        </div>
      </div>
      <CapturedPieces seats={ground.seats}>{reserveOf}</CapturedPieces>
    </div>
  );
}

/** Returns the moves that lead to the current node, as far as the server has explored them. */
function useLine(analysis: Analysis): readonly ExploredPly[] {
  const [tree, at, plies] = [analysis.tree.value, analysis.currentNode.value, analysis.plies.value];
  return useMemo(() => pathTo(tree, at).flatMap((place) => plies[place] ?? []), [tree, at, plies]);
}

/**
 * Returns the marks at the end of a line; what the server has not explored yet is taken from the
 * line.
 */
function shownAt(ground: AnalysisRoot, line: readonly ExploredPly[], outlook: NodeFacts | null, pieces: Pieces): Shown {
  const checks = outlook?.state.checks ?? line.at(-1)?.checks ?? [];
  const out = [...ground.start_eliminated, ...line.flatMap((ply): EliminatedView[] => ply.eliminated ?? [])];
  const kings = checks.map((color) => kingOf(pieces, color)).filter((square) => square !== null);
  return { turn: outlook?.state.turn ?? null, checks, out, marks: marksOf(line, out), checkMarks: new Set(kings) };
}

/** The squares of the last move of each color still in; where two meet, the newer one is seen. */
function marksOf(line: readonly ExploredPly[], out: readonly EliminatedView[]): ReadonlyMap<Square, MoveMark> {
  const last = new Map<Color, ExploredPly>();
  for (const ply of line) {
    last.delete(ply.color);
    last.set(ply.color, ply);
  }
  const marks = new Map<Square, MoveMark>();
  for (const { color, move: mv } of last.values()) {
    const parts = parseMove(mv);
    if (parts === null || out.some((one) => one.color === color)) continue;
    marks.set(parts.from, { color, end: 'from' });
    marks.set(parts.to, { color, end: 'to' });
  }
  return marks;
}
