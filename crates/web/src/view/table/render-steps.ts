import { useEffect, useState } from 'preact/hooks';
import type { TableState } from '../../store/table.ts';

/**
 * The states that the parts of a table's page show. A new state reaches the parts one after
 * another, and each part only after the browser has painted the part before. A move is therefore
 * visible on the board as early as possible, and on a slow device no single task is long.
 */
export interface RenderSteps<State> {
  /** The state for the seats around the board. */
  readonly seats: State;
  /** The state for the banner, the captured pieces and the requests. */
  readonly banner: State;
  /** The state for the panel and the log for screen readers. */
  readonly panel: State;
}

/** Returns the states of the parts that follow the board, which shows `state` itself. */
export function useRenderSteps<State extends TableState | null>(state: State): RenderSteps<State> {
  const seats = useLastPainted(state);
  const banner = useLastPainted(seats);
  return { seats, banner, panel: useLastPainted(banner) };
}

/**
 * Returns a state once it has been painted, and until then the state before of the same match. A
 * hidden page is not painted, but its title counts messages, so there all parts change at once.
 */
export function useLastPainted<State extends TableState | null>(state: State): State {
  const [painted, setPainted] = useState(state);
  useEffect(() => setPainted(state), [state]);
  return painted?.match === state?.match && !document.hidden ? painted : state;
}
