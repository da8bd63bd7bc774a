import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Color } from '../../protocol/generated.ts';
import type { RoleLetter } from '../../store/pieces.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { isAnimationOff } from '../board/motion.ts';
import { PieceIcon } from '../board/piece-icon.tsx';

const PAWN: RoleLetter = 'P';
/** The time for which the draw is displayed, with and without animation, in milliseconds. */
const DRAW_MS = 2_600;
const STATIC_MS = 1_500;

/**
 * The animated lot for the player who moves first: a pawn is drawn from a bag, as in the rules of
 * the game. The animation does not block the page, and any click or key ends it.
 */
export function DrawAnimation({ state }: { state: TableState }): JSX.Element | null {
  const [firstPlayer, setFirstPlayer] = useState<Color | null>(null);
  const before = useRef<TableState | null>(null);
  useEffect(() => {
    const drawnColor = newFirstPlayer(before.current, state);
    before.current = state;
    if (drawnColor !== null) setFirstPlayer(drawnColor);
  }, [state]);
  useEffect(() => {
    if (firstPlayer === null) return undefined;
    const end = (): void => setFirstPlayer(null);
    const timer = setTimeout(end, isAnimationOff() ? STATIC_MS : DRAW_MS);
    addEventListener('pointerdown', end);
    addEventListener('keydown', end);
    return () => {
      clearTimeout(timer);
      removeEventListener('pointerdown', end);
      removeEventListener('keydown', end);
    };
  }, [firstPlayer]);

  if (firstPlayer === null) return null;
  return (
    <div class="draw-animation" aria-hidden="true" data-testid="draw-animation" data-color={firstPlayer}>
      <div class="draw-stage">
        <div class="draw-pawn">
          <PieceIcon color={firstPlayer} role={PAWN} />
        </div>
        <svg class="draw-bag" viewBox="0 0 100 90">
          <path class="draw-bag-body" d="M20 22C4 44 2 62 8 76c4 9 14 12 42 12s38-3 42-12c6-14 4-32-12-54z" />
          <path class="draw-bag-neck" d="M18 24c8 5 56 5 64 0 4-6-2-10-4-15-8 5-48 5-56 0-2 5-8 9-4 15z" />
          <path class="draw-bag-string" d="M19 25c10 6 52 6 62 0M68 28c3 7 2 12-2 17M72 27c6 4 9 9 8 15" />
        </svg>
      </div>
      <p class="draw-caption">{text.events.started(firstPlayer)}</p>
    </div>
  );
}

/** Returns the drawn first player if the match has just started, else `null`. */
function newFirstPlayer(before: TableState | null, { match, history, seats, settings, state, plies }: TableState): Color | null {
  const isDrawn = seats.length > 2 && settings.setup === undefined;
  const isNew = before !== null && (before.match !== match || before.state.phase === 'open');
  if (!isDrawn || !isNew || state.phase !== 'running' || plies.length > 0) return null;
  const startEvent = history.findLast(({ event }) => event.type === 'started')?.event;
  return startEvent?.type === 'started' ? startEvent.first_player : null;
}
