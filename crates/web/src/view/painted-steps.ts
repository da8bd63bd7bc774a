import { useEffect, useState } from 'preact/hooks';

/**
 * Returns how many times the browser has painted the component since it was added, up to a number
 * of steps. A large component renders its parts one after another by these steps, so that on a slow
 * device opening it is no single long task.
 */
export function usePaintedSteps(steps: number): number {
  const [painted, setPainted] = useState(0);
  useEffect(() => {
    if (painted < steps) setPainted(painted + 1);
  }, [painted, steps]);
  return painted;
}
