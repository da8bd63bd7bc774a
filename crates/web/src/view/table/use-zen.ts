import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { isActive, type TableState } from '../../store/table.ts';
import { useClient } from '../context.ts';

/**
 * The elements that Escape closes or cancels first. If there is none of them, Escape leaves the zen
 * mode.
 */
const CANCELED_FIRST = 'dialog[open], .promotion, .confirm-move, .cell[data-picked], .cell[data-premove]';

/** The zen mode of a page: the board, the clocks and the names, and nothing else. */
export interface Zen {
  readonly isOn: boolean;
  /**
   * Set while the viewer can play or watch a running match. After its end or the viewer's
   * elimination, the rest of the page is needed.
   */
  readonly isPossible: boolean;
  readonly toggle: () => void;
}

/**
 * Returns the zen mode of a table. While it is on, the root element has the attribute `data-zen`,
 * and Escape ends it. The choice is kept for the next match.
 */
export function useZen(state: TableState | null): Zen {
  const { zen } = useClient().preferences;
  const isPossible = state !== null && isWorthWatching(state);
  const isOn = isPossible && zen.value;
  const needsFocus = useRef(false);
  const toggle = useCallback(() => {
    if (!isPossible) return;
    // The button that has the focus is about to disappear.
    needsFocus.current = (document.activeElement?.closest('.zen-leave, .board-bar, .panel, .header') ?? null) !== null;
    zen.value = !zen.value;
  }, [zen, isPossible]);

  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-zen', isOn);
    // The board is at the top now, wherever the page was scrolled to.
    if (isOn) scrollTo(0, 0);
    return () => document.documentElement.removeAttribute('data-zen');
  }, [isOn]);
  useEffect(() => {
    if (needsFocus.current) document.querySelector<HTMLElement>(isOn ? '.zen-leave' : '.board-bar .zen-enter')?.focus();
    needsFocus.current = false;
  }, [isOn]);
  useEffect(() => {
    if (!isOn) return undefined;
    const leave = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && document.querySelector(CANCELED_FIRST) === null) toggle();
    };
    // The listener must run before the board and other elements handle the key.
    addEventListener('keydown', leave, { capture: true });
    return () => removeEventListener('keydown', leave, { capture: true });
  }, [isOn, toggle]);
  return { isOn, isPossible, toggle };
}

/**
 * Returns true if the match runs and the viewer is a spectator or a player who is not eliminated.
 */
function isWorthWatching(state: TableState): boolean {
  return state.state.phase === 'running' && (state.viewerSeat === null || isActive(state, state.viewerSeat));
}
