import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { Color, ConditionalStep, Exploration, Square } from '../../protocol/generated.ts';
import type { ConditionalApi } from '../../store/conditional-api.ts';
import type { ConditionalMovesStore } from '../../store/conditional-moves.ts';
import { LegalMoves, parseMove, resolveMove, withMoveMade, type MoveParts } from '../../store/moves.ts';
import { kingOf } from '../../store/pieces.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { Board } from '../board/board.tsx';
import { Layout } from '../board/geometry.ts';
import type { MoveMark } from '../board/marks.ts';
import { Promotion } from '../board/promotion.tsx';
import { useClient } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { ConditionalSteps } from './conditional-steps.tsx';
import type { PromotionChoice } from './move-input-state.ts';

interface ConditionalEditorProps {
  readonly state: TableState;
  /** The seat for which the line is stored. */
  readonly seat: Color;
  readonly store: ConditionalMovesStore;
  readonly api: ConditionalApi;
  readonly onClose: () => void;
}

const NO_MARKS: ReadonlySet<Square> = new Set();

/** The dialog in which a line of conditional moves is played on a board of its own. */
export function ConditionalEditor({ state, seat, store, api, onClose }: ConditionalEditorProps): JSX.Element {
  const client = useClient();
  const [steps, setSteps] = useState<readonly ConditionalStep[]>([]);
  const [promotion, setPromotion] = useState<PromotionChoice | null>(null);
  const dropStep = useCallback(
    (error: unknown) => {
      client.report(error);
      setSteps((before) => before.slice(0, -1));
    },
    [client],
  );
  const shown = useBoardAfter(steps, state, api, dropStep);
  const side = state.seats.find(({ color }) => color === seat)?.side ?? 'south';
  const layout = useMemo(() => new Layout(state.board, side), [state.board, side]);
  const isKnown = shown?.steps === steps;
  const board = shown?.board;
  const legal = useMemo(() => new LegalMoves(isKnown ? (board?.legal_moves ?? []) : []), [isKnown, board]);
  const pieces = useMemo(
    () => withMoveMade(board?.start ?? state.pieces, isKnown ? null : (steps.at(-1)?.move ?? null)),
    [board, state.pieces, isKnown, steps],
  );
  const turn = (isKnown ? board?.state.turn : undefined) ?? null;
  const last = steps.at(-1);
  const isComplete = last?.color === seat;

  const add = (step: ConditionalStep): void => {
    setPromotion(null);
    setSteps([...steps, step]);
  };
  const play = (parts: MoveParts): void => {
    const resolved = resolveMove(legal, parts);
    if (turn === null || resolved.kind === 'none') return;
    if (resolved.kind === 'promotion') setPromotion(resolved);
    else add({ color: turn, move: resolved.mv });
  };
  const save = (): void => {
    store.add(state, seat, steps).then(onClose, (error: unknown) => client.report(error));
  };
  const takeBack = (): void => {
    setPromotion(null);
    setSteps(steps.slice(0, -1));
  };

  return (
    <Dialog title={text.conditional.editor} isSheet onClose={onClose}>
      <p role="status" data-testid="conditional-question" data-turn={turn}>
        {question(turn, seat, isKnown, isComplete)}
      </p>
      <div class="conditional-board" style={{ '--columns': layout.columns, '--corner': layout.cornerSize }}>
        <div class="board-box">
          <Board
            layout={layout}
            seats={state.seats}
            pieces={pieces}
            playable={legal}
            moveMarks={lastMoveMarks(last)}
            premoveMarks={NO_MARKS}
            checkMarks={new Set((board?.state.checks ?? []).map((color) => kingOf(pieces, color)).filter((square) => square !== null))}
            label={text.conditional.board}
            onMove={(from, to) => play({ from, to, promotion: null })}
            onPress={() => undefined}
            attributes={{ 'data-turn': turn ?? '', 'data-dimmed': String(promotion !== null) }}
          />
          {promotion !== null && turn !== null && (
            <Promotion
              layout={layout}
              color={turn}
              to={promotion.to}
              choices={promotion.choices}
              reserve={board?.state.reserves?.[turn] ?? null}
              onChoose={(letter) => play({ from: promotion.from, to: promotion.to, promotion: letter })}
              onCancel={() => setPromotion(null)}
            />
          )}
        </div>
      </div>
      {last !== undefined && <ConditionalSteps steps={steps} />}
      {last !== undefined && last.move === undefined && <p class="quiet">{text.conditional.anyHint(last.color)}</p>}
      <div class="buttons">
        <button type="button" class="button" disabled={last === undefined} data-testid="conditional-back" onClick={takeBack}>
          {text.conditional.back}
        </button>
        {state.seats.length > 2 && (
          <button
            type="button"
            class="button"
            disabled={turn === null || turn === seat}
            data-testid="conditional-any"
            onClick={() => turn !== null && add({ color: turn })}
          >
            {text.conditional.any}
          </button>
        )}
        <button type="button" class="button primary" disabled={!isComplete || store.isBusy.value} data-testid="conditional-save" onClick={save}>
          {text.conditional.save}
        </button>
      </div>
    </Dialog>
  );
}

/** The position after the steps of a line. */
interface ShownBoard {
  readonly steps: readonly ConditionalStep[];
  readonly board: Exploration;
}

/**
 * Requests the position after steps. Returns the last position that is known; `onError` is called
 * if the server refuses the steps.
 */
function useBoardAfter(
  steps: readonly ConditionalStep[],
  state: TableState,
  api: ConditionalApi,
  onError: (error: unknown) => void,
): ShownBoard | null {
  const [shown, setShown] = useState<ShownBoard | null>(null);
  const { table, match, seq } = state;
  useEffect(() => {
    const abort = new AbortController();
    api.board(table, { match, after: seq, steps: [...steps] }, abort.signal).then(
      (board) => {
        if (!abort.signal.aborted) setShown({ steps, board });
      },
      (error: unknown) => {
        if (!abort.signal.aborted) onError(error);
      },
    );
    return () => abort.abort();
  }, [api, table, match, seq, steps, onError]);
  return shown;
}

/** Returns the request to the user in the position after the steps. */
function question(turn: Color | null, seat: Color, isKnown: boolean, isComplete: boolean): string {
  if (isKnown && turn === null) return text.conditional.over;
  if (isComplete) return text.conditional.saveHint;
  return turn === null || turn === seat ? text.conditional.reply : text.conditional.expect(turn);
}

function lastMoveMarks(step: ConditionalStep | undefined): ReadonlyMap<Square, MoveMark> {
  const parts = step?.move === undefined ? null : parseMove(step.move);
  if (step === undefined || parts === null) return new Map();
  return new Map([
    [parts.from, { color: step.color, end: 'from' }],
    [parts.to, { color: step.color, end: 'to' }],
  ]);
}
