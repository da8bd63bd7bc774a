import { useEffect, useState } from 'preact/hooks';

/** The time for which each position is shown, in milliseconds. */
const STEP_MS = 1_100;
/** The number of steps for which the last position is shown. */
const STEPS_AT_END = 5;
/** The ply at which a replay begins. Before it there is little to see on the board. */
const FIRST_PLY = 8;

/**
 * Returns the displayed ply of an endless replay of a match. The replay is paused unless
 * `isPlaying` is set.
 */
export function useLoop(plies: number, isPlaying: boolean): number {
  const [step, setStep] = useState(FIRST_PLY);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => setStep((now) => (now >= plies + STEPS_AT_END ? FIRST_PLY : now + 1)), STEP_MS);
    return () => clearInterval(timer);
  }, [plies, isPlaying]);
  return Math.min(step, plies);
}
