import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Color } from '../../protocol/generated.ts';
import type { RoleLetter } from '../../store/pieces.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { isAnimationOff } from '../board/motion.ts';
import { PieceIcon } from '../board/piece-icon.tsx';

const PAWN: RoleLetter = 'P';
/** Duration of the drawing of lots, with and without animation, milliseconds. */
const DRAW_MS = 2_600;
const STILL_MS = 1_500;

/** The draw for the first move, as the game's sheet has it: a pawn out of a bag. It takes no press, and any press or key ends it. */
export function DrawAnimation({ state }: { state: TableState }): JSX.Element | null {
  const [drawn, setDrawn] = useState<Color | null>(null);
  const before = useRef<TableState | null>(null);
  useEffect(() => {
    const beginner = beginnerNow(before.current, state);
    before.current = state;
    if (beginner !== null) setDrawn(beginner);
  }, [state]);
  useEffect(() => {
    if (drawn === null) return undefined;
    const end = (): void => setDrawn(null);
    const timer = setTimeout(end, isAnimationOff() ? STILL_MS : DRAW_MS);
    addEventListener('pointerdown', end);
    addEventListener('keydown', end);
    return () => {
      clearTimeout(timer);
      removeEventListener('pointerdown', end);
      removeEventListener('keydown', end);
    };
  }, [drawn]);

  if (drawn === null) return null;
  return (
    <div class="draw-animation" aria-hidden="true" data-testid="draw-animation" data-color={drawn}>
      <div class="draw-stage">
        <div class="draw-pawn">
          <PieceIcon color={drawn} role={PAWN} />
        </div>
        <svg class="draw-bag" viewBox="0 0 100 90">
          <path class="draw-bag-body" d="M20 22C4 44 2 62 8 76c4 9 14 12 42 12s38-3 42-12c6-14 4-32-12-54z" />
          <path class="draw-bag-neck" d="M18 24c8 5 56 5 64 0 4-6-2-10-4-15-8 5-48 5-56 0-2 5-8 9-4 15z" />
          <path class="draw-bag-string" d="M19 25c10 6 52 6 62 0M68 28c3 7 2 12-2 17M72 27c6 4 9 9 8 15" />
        </svg>
      </div>
      <p class="draw-caption">{text.say.started(drawn)}</p>
    </div>
  );
}

/** Returns the color that was drawn to begin, if the match has just begun. */
function beginnerNow(before: TableState | null, { match, history, seats, settings, state, plies }: TableState): Color | null {
  const isDrawn = seats.length > 2 && settings.setup === undefined;
  const isNew = before !== null && (before.match !== match || before.state.phase === 'open');
  if (!isDrawn || !isNew || state.phase !== 'running' || plies.length > 0) return null;
  const started = history.findLast(({ event }) => event.type === 'started')?.event;
  return started?.type === 'started' ? started.first_player : null;
}
