import type { JSX } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import type { Side, Square } from '../../protocol/generated.ts';
import { LegalMoves } from '../../store/moves.ts';
import type { TableState } from '../../store/table.ts';
import type { ReplayCursor } from '../../store/replay-cursor.ts';
import type { TableStore } from '../../store/table-store.ts';
import { useClient } from '../context.ts';
import { Board } from '../board/board.tsx';
import { Layout, rotateSide } from '../board/geometry.ts';
import { attacksAfterLastEvent, checkMarks, moveMarks } from '../board/marks.ts';
import { Promotion } from '../board/promotion.tsx';
import { CapturedPieces } from './captured-pieces.tsx';
import { PauseOverlay } from './pause-overlay.tsx';
import { DrawAnimation } from './draw-animation.tsx';
import type { Playing } from './playing.ts';
import { SeatCaptures } from './seat-captures.tsx';
import { SeatPlate } from './seat-plate.tsx';

interface BoardAreaProps {
  readonly store: TableStore;
  readonly state: TableState;
  readonly playing: Playing;
  readonly cursor: ReplayCursor;
  /** By how many quarter turns the board is turned from how one usually sees it. */
  readonly quarters: number;
}

/** Moves on a board that shows the past: none. */
const NOTHING = new LegalMoves([]);

/** The board with the seats around it: one's own at the bottom, onlookers see it from Red's or White's side. */
export function BoardArea({ store, state, playing, cursor, quarters }: BoardAreaProps): JSX.Element {
  const bottom = rotateSide(bottomOf(state, useClient().preferences.turnsBoard.value), quarters);
  const layout = useMemo(() => new Layout(state.board, bottom), [state.board, bottom]);
  const shown = cursor.shown.value ?? state;
  const isLive = shown === state;
  const pieces = isLive ? store.pieces.value : shown.pieces;
  const choice = playing.choice.value;
  const marks = useMemo(() => moveMarks(shown), [shown]);
  const checks = useMemo(() => checkMarks(shown, pieces), [shown, pieces]);
  // What a move under way leaves attacked is not known.
  const attacks = useMemo(() => (pieces === shown.pieces ? attacksAfterLastEvent(shown) : []), [shown, pieces]);
  const turnSide = state.seats.find((seat) => seat.color === state.state.turn)?.side;
  const onGo = useCallback((from: Square, to: Square) => void playing.play({ from, to, promotion: null }), [playing]);
  const { turn } = state.state;
  // A choice is about the board it was asked on.
  useEffect(() => playing.cancel(), [playing, turn, state.pieces]);
  const undecided = store.pendingPromotion.value;
  useEffect(() => playing.decide(), [playing, undecided]);
  const premove = store.premove.value;
  const held = premove ?? playing.unconfirmed.value;
  const heldMarks = useMemo(() => new Set(held === null || !isLive ? [] : [held.from, held.to]), [held, isLive]);
  // Before the eye sees it: who gives it up at once is heard.
  useLayoutEffect(() => {
    if (premove === null) return undefined;
    const cancel = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') store.cancelPremove();
    };
    addEventListener('keydown', cancel);
    return () => removeEventListener('keydown', cancel);
  }, [store, premove]);

  return (
    <div class="board-space" data-cut={layout.cornerSize > 0}>
      <div
        class="board-frame"
        data-corner={layout.cornerSize}
        data-live={isLive}
        style={{ '--columns': layout.columns, '--corner': layout.cornerSize }}
      >
        {state.seats.map((seat) => (
          <SeatPlate key={seat.color} store={store} state={state} seat={seat} place={layout.screenSideOf(seat.side)} />
        ))}
        <div class="board-box">
          <Board
            layout={layout}
            seats={state.seats}
            pieces={pieces}
            playable={isLive ? store.playable.value : NOTHING}
            moveMarks={marks}
            premoveMarks={heldMarks}
            checkMarks={checks}
            attacks={attacks}
            onMove={onGo}
            onPress={() => (isLive ? store.cancelPremove() : undefined)}
            attributes={{ 'data-seq': state.seq, 'data-turn': state.state.turn ?? '', 'data-variant': state.settings.variant }}
          />
          {turnSide !== undefined && (
            <div key={turnSide} class="edge" data-place={layout.screenSideOf(turnSide)} data-color={state.state.turn} aria-hidden="true" />
          )}
          <PauseOverlay store={store} state={state} />
          <DrawAnimation state={state} />
          {choice !== null && isLive && state.you !== null && (
            <Promotion
              layout={layout}
              color={state.you}
              to={choice.to}
              choices={choice.choices}
              reserve={state.state.reserves?.[state.you] ?? null}
              onChoose={(letter) => playing.choose(letter)}
              onCancel={() => playing.cancel()}
            />
          )}
        </div>
      </div>
      {state.state.phase !== 'open' && <CapturedPieces seats={state.seats}>{(seat) => <SeatCaptures state={state} seat={seat} />}</CapturedPieces>}
    </div>
  );
}

/** The side at the bottom: one's own; of several the first, or the one to move if the board turns. */
function bottomOf({ seats, ownSeats: yours, you }: TableState, turns: boolean): Side {
  const own = turns ? you : yours[0];
  return seats.find((seat) => seat.color === own)?.side ?? 'south';
}
