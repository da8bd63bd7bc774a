import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { text } from '../../text/index.ts';
import type { Playing } from './playing.ts';

/** For who confirms each move: the move that waits, at the foot of the page, where thumbs and Enter reach it. */
export function ConfirmMove({ playing }: { playing: Playing }): JSX.Element | null {
  const move = playing.unconfirmed.value;
  const play = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const left = document.activeElement;
    if (move === null) return undefined;
    play.current?.focus({ preventScroll: true });
    // The focus goes back to where the move was made.
    return () => {
      if (left instanceof HTMLElement) left.focus({ preventScroll: true });
    };
  }, [move]);
  if (move === null) return null;
  return (
    <div
      class="confirm-move"
      role="group"
      aria-label={text.play.confirm(move.from, move.to)}
      data-testid="confirm-move"
      onKeyDown={(event) => {
        if (event.key === 'Escape') playing.cancel();
      }}
    >
      <span>{text.play.confirm(move.from, move.to)}</span>
      <button type="button" class="button" onClick={() => playing.cancel()}>
        {text.cancel}
      </button>
      <button ref={play} type="button" class="button primary" data-testid="confirm-play" onClick={() => playing.confirm()}>
        {text.play.go}
      </button>
    </div>
  );
}
