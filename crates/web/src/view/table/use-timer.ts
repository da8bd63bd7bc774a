import { useEffect, useState } from 'preact/hooks';

/** Renders a component again at an interval while a time in it runs. */
export function useTimer(isRunning: boolean, interval_ms: number): void {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), interval_ms);
    return () => clearInterval(timer);
  }, [isRunning, interval_ms]);
}
