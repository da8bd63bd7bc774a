import { useEffect, useState } from 'preact/hooks';

/** Shows the component again every so often while something in it runs down. */
export function useTicking(running: boolean, every_ms: number): void {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), every_ms);
    return () => clearInterval(timer);
  }, [running, every_ms]);
}
