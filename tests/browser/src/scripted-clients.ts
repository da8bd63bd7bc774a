import type { Page } from 'playwright-core';
import type { Browsers } from './browsers.ts';
import { COLORS, type Color, type Move, type Variant } from './script.ts';

/** The part of a server frame that the clients read. */
interface EventFrame {
  readonly t: string;
  readonly cmd?: string;
  readonly seq?: number;
  /** The change of the state, as a merge patch. */
  readonly state?: { readonly turn?: Color | null };
  readonly legal_moves?: readonly string[];
}

/**
 * Players that use the protocol from one empty window. They have no pages, which would take
 * processor time from the measured window.
 */
export class ScriptedClients {
  readonly #page: Page;
  /** The path of the table. */
  readonly path: string;

  private constructor(page: Page, path: string) {
    this.#page = page;
    this.path = path;
  }

  /** Creates a public table and seats scripted players on all seats except the seat of `other`. */
  static async seatPlayers(chromium: Browsers, variant: Variant, other?: Color): Promise<ScriptedClients> {
    const { page } = await chromium.openBrowser('clients');
    await page.goto(`${chromium.server.url}/healthz`);
    const colors = COLORS[variant].filter((color) => color !== other);
    return new ScriptedClients(page, `/t/${await page.evaluate(seatColors, { variant, colors })}`);
  }

  /** Waits for the start and returns the color that moves first. */
  async firstPlayer(): Promise<Color> {
    return this.#page.evaluate(() => (globalThis as unknown as { firstPlayer: () => Promise<Color> }).firstPlayer());
  }

  /** Returns whether one of these players may move, or the match is over. */
  async isReady(): Promise<boolean> {
    return this.#page.evaluate(() => (globalThis as unknown as { isReady: () => boolean }).isReady());
  }

  /** Makes the next move and returns the number of its last event. */
  async move({ from, to, promotion }: Move): Promise<number> {
    return this.#page.evaluate((mv) => (globalThis as unknown as { play: (mv: string) => Promise<number> }).play(mv), `${from}${to}${promotion ?? ''}`);
  }

  /** Makes one of the legal moves: the one at this part (from 0 to 1) of their list. */
  async moveAnywhere(part: number): Promise<number> {
    return this.#page.evaluate((at) => (globalThis as unknown as { playAnywhere: (part: number) => Promise<number> }).playAnywhere(at), part);
  }
}

/** Seats the players and returns the table. This function runs in the page. */
async function seatColors({ variant, colors }: { variant: string; colors: Color[] }): Promise<string> {
  const post = async (path: string, body: object, token?: string): Promise<Record<string, string>> => {
    const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body), credentials: 'omit' });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  let [head, turn, commands]: [number, Color | null, number] = [0, null, 0];
  const mayMove = new Map<Color, readonly string[]>();
  const waiting = new Set<() => void>();
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise<void>((resolve) => waiting.add(resolve));
  };
  const lines = new Map<Color, WebSocket>();
  const tokens = await Promise.all(colors.map(async () => (await post('/api/guests', {}))['token'] ?? ''));
  const { table = '' } = await post('/api/tables', { variant, privacy: 'public' }, tokens[0]);
  for (const [index, color] of colors.entries()) {
    const line = new WebSocket(`${location.origin.replace('http', 'ws')}/ws`, 'quadrex.v1');
    lines.set(color, line);
    await new Promise((resolve) => line.addEventListener('open', resolve, { once: true }));
    line.addEventListener('message', ({ data }) => {
      const frame = JSON.parse(String(data)) as EventFrame;
      if (frame.t === 'refused') throw new Error(String(data));
      if (frame.t !== 'event' || frame.state === undefined) return;
      head = Math.max(head, frame.seq ?? 0);
      if (frame.state.turn !== undefined) turn = frame.state.turn;
      mayMove.delete(color);
      if (frame.legal_moves !== undefined && frame.legal_moves.length > 0) mayMove.set(color, frame.legal_moves);
      for (const wake of waiting) wake();
      waiting.clear();
    });
    line.send(JSON.stringify({ t: 'hello', token: tokens[index] }));
    line.send(JSON.stringify({ t: 'watch', table }));
    line.send(JSON.stringify({ t: 'sit', table, cmd: crypto.randomUUID(), seat: color }));
  }
  const isReady = (): boolean => head > 0 && (turn === null || mayMove.has(turn));
  const firstPlayer = async (): Promise<Color | null> => {
    await until(() => turn !== null);
    return turn;
  };
  const play = async (mv: string): Promise<number> => {
    await until(isReady);
    const mover = turn;
    if (mover === null) throw new Error('the match is over');
    mayMove.clear();
    const before = head;
    commands += 1;
    lines.get(mover)?.send(JSON.stringify({ t: 'move', table, cmd: `bench-${commands}`, after: head, move: mv }));
    await until(() => head > before && (isReady() || (turn !== null && !colors.includes(turn))));
    return head;
  };
  const playAnywhere = async (part: number): Promise<number> => {
    await until(isReady);
    const moves = turn === null ? [] : (mayMove.get(turn) ?? []);
    return play(moves[Math.floor(moves.length * part)] ?? '');
  };
  Object.assign(globalThis, { play, playAnywhere, firstPlayer, isReady });
  return table;
}
