import type { JSX } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import type { Side, Square } from '../../protocol/generated.ts';
import { LegalMoves, parseMove } from '../../store/moves.ts';
import type { TableState } from '../../store/table.ts';
import type { ReplayCursor } from '../../store/replay-cursor.ts';
import type { TableStore } from '../../store/table-store.ts';
import { useClient } from '../context.ts';
import { useStableElements } from '../stable-elements.ts';
import { Board } from '../board/board.tsx';
import { Edges } from '../board/edges.tsx';
import { Layout, rotateSide } from '../board/geometry.ts';
import { attacksAfterLastEvent, checkMarks, moveMarks } from '../board/marks.ts';
import { Promotion } from '../board/promotion.tsx';
import { CapturedPieces } from './captured-pieces.tsx';
import { SuspensionOverlay } from './suspension-overlay.tsx';
import { DrawAnimation } from './draw-animation.tsx';
import type { MoveInputState } from './move-input-state.ts';
import { SeatCaptures } from './seat-captures.tsx';
import { SeatPlate } from './seat-plate.tsx';

interface BoardAreaProps {
  readonly store: TableStore;
  readonly state: TableState;
  /** The states for the seats and for the banner, see `RenderSteps`. */
  readonly seatState: TableState;
  readonly bannerState: TableState;
  readonly input: MoveInputState;
  readonly cursor: ReplayCursor;
  /** The number of quarter turns from the usual orientation. */
  readonly quarterTurns: number;
}

/** The moves on a board that shows an earlier position: none. */
const NO_MOVES = new LegalMoves([]);

/**
 * The board and the seats around it. The viewer's seat is at the bottom; for spectators it is Red's
 * or White's seat.
 */
export function BoardArea({ store, state, seatState, bannerState, input, cursor, quarterTurns }: BoardAreaProps): JSX.Element {
  const client = useClient();
  const isOnline = client.connectionState.value === 'online';
  const bottom = bottomSide(state, client.preferences.turnsBoard.value, quarterTurns);
  const layout = useMemo(() => new Layout(state.board, bottom), [state.board, bottom]);
  const shown = cursor.shown.value ?? state;
  const isLive = shown === state;
  const pieces = isLive ? store.pieces.value : shown.pieces;
  const choice = input.promotionChoice.value;
  const isPlaying = isLive && state.state.phase === 'running';
  const marks = useMemo(() => moveMarks(shown), [shown]);
  const checks = useMemo(() => checkMarks(shown, pieces), [shown, pieces]);
  // The attacks after an unconfirmed move are unknown.
  const attacks = useMemo(() => (pieces === shown.pieces ? attacksAfterLastEvent(shown) : []), [shown, pieces]);
  const onMove = useCallback((from: Square, to: Square) => void input.playParts({ from, to, promotion: null }), [input]);
  const stable = useStableElements();
  const { turn } = state.state;
  // The choice of a promotion is canceled when the position changes.
  useEffect(() => input.cancel(), [input, turn, state.pieces]);
  const pendingPromotion = store.pendingPromotion.value;
  useEffect(() => input.askPendingPromotion(), [input, pendingPromotion]);
  const premove = store.premove.value;
  const pending = store.pendingMove.value;
  // A move that cannot be sent yet is marked like a premove.
  const unsent = pending === null || isOnline ? null : parseMove(pending.mv);
  const tentativeMove = premove ?? input.unconfirmed.value ?? unsent;
  const [tentativeFrom, tentativeTo] = [tentativeMove?.from, tentativeMove?.to];
  const tentativeMarks = useMemo(
    () => new Set(tentativeFrom === undefined || tentativeTo === undefined || !isLive ? [] : [tentativeFrom, tentativeTo]),
    [tentativeFrom, tentativeTo, isLive],
  );
  // This is a layout effect, so that Escape works as soon as the premove is displayed.
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
        data-suspended={seatState.state.suspension !== undefined}
        style={{ '--columns': layout.columns, '--corner': layout.cornerSize }}
      >
        {seatState.seats.map((seat) =>
          stable(`seat ${seat.color}`, [store, seatState, seat, layout], () => (
            <SeatPlate key={seat.color} store={store} state={seatState} seat={seat} screenSide={layout.screenSideOf(seat.side)} />
          )),
        )}
        <div class="board-box">
          <Board
            layout={layout}
            seats={state.seats}
            pieces={pieces}
            playable={isLive ? store.playable.value : NO_MOVES}
            ownColor={isPlaying ? state.viewerSeat : null}
            moveMarks={marks}
            premoveMarks={tentativeMarks}
            checkMarks={checks}
            attacks={attacks}
            onMove={onMove}
            onExplain={(square) => input.explain(isLive ? square : null)}
            onPress={() => (isLive ? store.cancelPremove() : undefined)}
            attributes={{ 'data-board-seq': state.seq, 'data-seq': bannerState.seq, 'data-turn': bannerState.state.turn ?? '', 'data-variant': state.settings.variant, 'data-dimmed': String(choice !== null && isLive) }}
          />
          {stable('edges', [layout, seatState.seats, seatState.state.turn], () => (
            <Edges layout={layout} seats={seatState.seats} turn={seatState.state.turn} />
          ))}
          {stable('overlays', [store, seatState], () => (
            <>
              <SuspensionOverlay store={store} state={seatState} />
              <DrawAnimation state={seatState} />
            </>
          ))}
          {choice !== null && isLive && state.viewerSeat !== null && (
            <Promotion
              layout={layout}
              color={state.viewerSeat}
              to={choice.to}
              choices={choice.choices}
              reserve={state.state.reserves?.[state.viewerSeat] ?? null}
              onChoose={(letter) => input.choosePromotion(letter)}
              onCancel={() => input.cancel()}
            />
          )}
        </div>
      </div>
      {seatState.state.phase !== 'open' &&
        stable('captured', [bannerState], () => <CapturedPieces seats={bannerState.seats}>{(seat) => <SeatCaptures state={bannerState} seat={seat} />}</CapturedPieces>)}
    </div>
  );
}

/**
 * Returns the side at the bottom: the side of the viewer's first seat or, if the board turns, of
 * the seat that the viewer acts for, rotated by the quarter turns.
 */
export function bottomSide({ seats, ownSeats, viewerSeat }: TableState, turnsBoard: boolean, quarterTurns: number): Side {
  const seatAtBottom = turnsBoard ? viewerSeat : ownSeats[0];
  return rotateSide(seats.find((seat) => seat.color === seatAtBottom)?.side ?? 'south', quarterTurns);
}
