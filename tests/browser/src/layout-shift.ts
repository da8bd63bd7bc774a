import type { Person } from './person.ts';

/** Starts recording layout shifts without input of the user. `since: 'load'` includes earlier shifts. */
export async function observeLayoutShifts(person: Person, since: 'now' | 'load' = 'now'): Promise<void> {
  await person.page.evaluate((isBuffered) => {
    const shifts: string[] = [];
    (globalThis as { shifts?: string[] }).shifts = shifts;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[] })[]) {
        if (entry.hadRecentInput || entry.value === 0) continue;
        const box = ({ x, y, width, height }: DOMRectReadOnly): string => `${width}x${height} at ${x} ${y}`;
        const moved = entry.sources.map(({ node, previousRect, currentRect }) => {
          const name = node instanceof Element ? `${node.tagName}.${node.className}` : String(node?.nodeName);
          return `${name} (${box(previousRect)} to ${box(currentRect)})`;
        });
        shifts.push(`${entry.value.toFixed(4)} ${moved.join(' ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: isBuffered });
  }, since === 'load');
}

/** Returns the recorded layout shifts with their sizes and elements. */
export async function layoutShifts(person: Person): Promise<readonly string[] | undefined> {
  return person.page.evaluate(() => (globalThis as { shifts?: string[] }).shifts);
}
