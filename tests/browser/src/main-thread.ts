import type { CDPSession, Page } from 'playwright-core';

/**
 * The event that causes work for the page of a table: the page is opened, the user presses
 * something, or an event arrives from the server.
 */
export type Step = 'open' | 'press' | 'move' | 'elimination' | 'end';

/**
 * A step, and the tasks of the page's main thread from the beginning of this step until the next
 * step.
 */
export interface StepTasks {
  readonly step: Step;
  /** The processor time of each task, in milliseconds. */
  readonly task_ms: readonly number[];
  /** The updates of the page's style and layout. */
  readonly updates: readonly PageUpdate[];
}

/** An update of the style, and of the layout if it was needed. */
export interface PageUpdate {
  /** The number of elements whose style was computed. */
  readonly styled: number;
  /** The number of objects that needed a layout. */
  readonly laidOut: number;
}

/** A record of Chromium's trace (Trace Event Format). */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string; readonly elementCount?: number; readonly beginData?: { readonly dirtyObjects?: number } };
}

/** The prefix of the marks in the trace. */
const MARK = 'step:';

/**
 * Adds a mark to the trace when an event of the table arrives, and when the user presses something.
 * This function runs in the page.
 */
export function markTableEvents(): void {
  const mark = (step: string): void => void performance.mark(`step:${step}`);
  const { addEventListener: listen } = WebSocket.prototype;
  WebSocket.prototype.addEventListener = function (this: WebSocket, type: string, ...rest: [never]) {
    // This listener runs before the client's own listener.
    if (type === 'message') {
      listen.call(this, 'message', (event) => {
        const frame = String((event as MessageEvent).data);
        if (!frame.includes('"t":"event"')) return;
        for (const [word, step] of [['"type":"ended"', 'end'], ['"type":"eliminated"', 'elimination'], ['"type":"moved"', 'move']] as const) {
          if (frame.includes(word)) return mark(step);
        }
      });
    }
    listen.call(this, type, ...rest);
  };
  addEventListener('pointerdown', () => mark('press'), { capture: true });
  mark('open');
}

/** A trace of the main thread of a page whose processor is slowed down. */
export class MainThreadTrace {
  readonly #devtools: CDPSession;
  readonly #events: TraceEvent[] = [];

  private constructor(devtools: CDPSession) {
    this.#devtools = devtools;
    devtools.on('Tracing.dataCollected', ({ value }) => this.#events.push(...(value as unknown as TraceEvent[])));
  }

  /** Slows the page down by a factor and begins to trace it. */
  static async start(page: Page, throttling: number): Promise<MainThreadTrace> {
    const devtools = await page.context().newCDPSession(page);
    const trace = new MainThreadTrace(devtools);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: throttling });
    const includedCategories = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'blink.user_timing', '__metadata'];
    await devtools.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } });
    return trace;
  }

  /** Ends the trace and returns the steps in it with their tasks. */
  async stop(): Promise<StepTasks[]> {
    const complete = new Promise((resolve) => this.#devtools.once('Tracing.tracingComplete', resolve));
    await this.#devtools.send('Tracing.end');
    await complete;
    await this.#devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    return stepsOf(this.#events);
  }
}

function stepsOf(events: readonly TraceEvent[]): StepTasks[] {
  const marks = events.filter(({ name }) => name.startsWith(MARK)).toSorted((a, b) => a.ts - b.ts);
  const [first] = marks;
  if (first === undefined) throw new Error('the page has marked no step');
  const onMainThread = events.filter(({ pid, tid }) => pid === first.pid && tid === first.tid);
  const tasks = onMainThread.filter(({ name }) => name === 'RunTask');
  return marks.map((mark, index) => {
    const end = marks[index + 1]?.ts ?? Infinity;
    // The step begins within a task. This task belongs to the step.
    const own = tasks.filter(({ ts, dur = 0 }) => ts + dur > mark.ts && ts < end && !(ts + dur > end));
    return {
      step: mark.name.slice(MARK.length) as Step,
      task_ms: [0, ...own.map(({ tdur, dur = 0 }) => (tdur ?? dur) / 1_000)],
      updates: updatesOf(onMainThread.filter(({ ts }) => ts >= mark.ts && ts < end)),
    };
  });
}

function updatesOf(events: readonly TraceEvent[]): PageUpdate[] {
  const updates: PageUpdate[] = [];
  for (const { name, args } of events.toSorted((a, b) => a.ts - b.ts)) {
    if (name === 'UpdateLayoutTree') updates.push({ styled: args?.elementCount ?? 0, laidOut: 0 });
    if (name === 'Layout') updates.push({ styled: updates.pop()?.styled ?? 0, laidOut: args?.beginData?.dirtyObjects ?? 0 });
  }
  return updates;
}
