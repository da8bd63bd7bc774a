import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { Color, ConditionalMoves, ConditionalStep, Exploration, Move, SetConditionalMoves, TimeSetting, Variant } from '../src/protocol/generated.ts';
import type { ConditionalApi } from '../src/store/conditional-api.ts';
import { withLine } from '../src/store/conditional-moves.ts';
import { foldTable, type TableState } from '../src/store/table.ts';
import { ConditionalMovesPanel } from '../src/view/table/conditional-moves.tsx';
import { boardOf, startOf } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { MATCH, ScriptedMatch, SETTINGS } from './support/match.ts';
import { noticesOf } from './support/notices.ts';
import { byTestId, click, closePage, exists, pressSquare, renderPage } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };
const DAYS: TimeSetting = { kind: 'correspondence', days: 3 };

/** A server that has the legal moves after each number of steps, and stores lines. */
class FakeServer implements ConditionalApi {
  moves: ConditionalMoves = { match: MATCH, seats: [], played: [] };
  readonly boards: (readonly ConditionalStep[])[] = [];
  readonly sent: SetConditionalMoves[] = [];
  refusal: Refusal | null = null;
  readonly #variant: Variant;
  readonly #order: readonly Color[];
  readonly #legal: readonly Move[][];

  constructor(variant: Variant, order: readonly Color[], legal: readonly Move[][]) {
    this.#variant = variant;
    this.#order = order;
    this.#legal = legal;
  }

  own(): Promise<ConditionalMoves> {
    return Promise.resolve(this.moves);
  }

  set(_table: string, body: SetConditionalMoves): Promise<ConditionalMoves> {
    this.sent.push(body);
    if (this.refusal !== null) return Promise.reject(this.refusal);
    this.moves = { ...this.moves, seats: body.lines.length === 0 ? [] : [{ color: body.seat ?? 'red', after: body.after, lines: body.lines }] };
    return Promise.resolve(this.moves);
  }

  board(_table: string, { steps }: { steps: ConditionalStep[] }): Promise<Exploration> {
    this.boards.push(steps);
    const turn = this.#order[steps.length % this.#order.length] ?? 'red';
    return Promise.resolve({
      variant: this.#variant,
      board: boardOf(this.#variant),
      seats: [],
      start: startOf(this.#variant),
      start_fen: '',
      line: [],
      state: { phase: 'running', turn, active_players: [...this.#order], eliminated: [], checks: [], can_claim_draw: false },
      legal_moves: this.#legal[steps.length] ?? [],
      fen: '',
      notation: '',
    });
  }
}

function stateOf(match: ScriptedMatch, yours: Color | null, time: TimeSetting = DAYS): TableState {
  const snapshot = match.snapshot(yours);
  const folded = foldTable(null, { ...snapshot, view: { ...snapshot.view, settings: { ...SETTINGS, variant: match.variant, time } } }, { viewer: null, now_ms: 0 });
  if (folded.kind !== 'changed') throw new Error(folded.kind);
  return folded.state;
}

async function show(state: TableState, server: FakeServer): Promise<ReturnType<typeof onlineClient>> {
  const online = onlineClient();
  renderPage(online.client, <ConditionalMovesPanel state={state} api={server} />);
  await act(flushTasks);
  return online;
}

async function press(...squares: string[]): Promise<void> {
  for (const square of squares) pressSquare(square);
  await act(flushTasks);
}

async function pressButton(name: string): Promise<void> {
  click(byTestId(name));
  await act(flushTasks);
}

const lines = (): string[] => [...document.querySelectorAll('[data-testid="conditional-line"] .conditional-steps')].map((line) => line.textContent ?? '');

afterEach(closePage);

describe('the conditional moves of a player', () => {
  it('are planned on a board, with any moves of opponents, and stored', async () => {
    const state = stateOf(new ScriptedMatch('dilkel', FOUR).startMatch('blue'), 'red');
    const server = new FakeServer('dilkel', ['blue', 'yellow', 'green', 'red'], [['b7c7'], ['g13g12'], ['m7l7'], ['h2h4'], ['b8c8']]);
    await show(state, server);
    await pressButton('conditional-add');
    expect(byTestId('conditional-question').textContent).toContain('Blue');
    expect(byTestId<HTMLButtonElement>('conditional-save').disabled, 'there is no reply yet').toBe(true);
    await press('b7', 'c7');
    expect(byTestId('conditional-question').textContent).toContain('Yellow');
    await pressButton('conditional-any');
    await pressButton('conditional-any');
    expect(byTestId<HTMLButtonElement>('conditional-any').disabled, 'the own move is a certain one').toBe(true);
    await press('h2', 'h4');
    await pressButton('conditional-save');
    const line = [{ color: 'blue', move: 'b7c7' }, { color: 'yellow' }, { color: 'green' }, { color: 'red', move: 'h2h4' }];
    expect(server.sent).toEqual([{ match: MATCH, after: state.seq, seat: 'red', lines: [line] }]);
    expect(exists('conditional-question'), 'the dialog is closed').toBe(false);
    expect(lines()).toEqual(['b7–c7……h2–h4']);
  });

  it('can be removed, and steps can be taken back', async () => {
    const state = stateOf(new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white'), 'black');
    const server = new FakeServer('classic', ['white', 'black'], [['e2e4', 'd2d4'], ['e7e5']]);
    const kept = [{ color: 'white' as const, move: 'a2a4' }, { color: 'black' as const, move: 'a7a5' }];
    server.moves = { match: MATCH, seats: [{ color: 'black', after: 4, lines: [kept, [{ color: 'white', move: 'b2b4' }, { color: 'black', move: 'b7b5' }]] }], played: [7] };
    await show(state, server);
    expect(lines()).toEqual(['a2–a4a7–a5', 'b2–b4b7–b5']);
    expect(byTestId('conditional-played').textContent).toContain('1 move');
    click(document.querySelectorAll<HTMLElement>('[data-testid="conditional-remove"]')[1] as HTMLElement);
    await act(flushTasks);
    expect(server.sent.at(-1)?.lines).toEqual([kept]);
    await pressButton('conditional-add');
    expect(exists('conditional-any'), 'two players name every move').toBe(false);
    await press('e2', 'e4');
    await pressButton('conditional-back');
    await press('d2', 'd4');
    expect(server.boards.at(-1)).toEqual([{ color: 'white', move: 'd2d4' }]);
  });

  it('are refused by the server with a notice', async () => {
    const state = stateOf(new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white'), 'black');
    const server = new FakeServer('classic', ['white', 'black'], [['e2e4'], ['e7e5']]);
    server.refusal = new Refusal('stale', 'the board has changed');
    const { client } = await show(state, server);
    await pressButton('conditional-add');
    await press('e2', 'e4');
    await press('e7', 'e5');
    await pressButton('conditional-save');
    expect(noticesOf(client)).toHaveLength(1);
    expect(exists('conditional-question'), 'the dialog stays open').toBe(true);
  });

  it('are offered to remaining players of correspondence matches only, and not on their turn', async () => {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
    const server = new FakeServer('classic', ['white', 'black'], []);
    await show(stateOf(match, 'white'), server);
    expect(exists('conditional') && !exists('conditional-add'), 'it is the turn of White').toBe(true);
    closePage();
    await show(stateOf(match, null), server);
    expect(exists('conditional'), 'a spectator').toBe(false);
    await show(stateOf(match, 'black', { kind: 'none' }), server);
    expect(exists('conditional'), 'a match without days').toBe(false);
  });

  it('replace the lines that they continue', () => {
    const step = (color: Color, move: Move): ConditionalStep => ({ color, move });
    const short = [step('white', 'e2e4'), step('black', 'e7e5')];
    const long = [...short, step('white', 'g1f3'), step('black', 'b8c6')];
    const other = [step('white', 'd2d4'), step('black', 'd7d5')];
    expect(withLine([short, other], long)).toEqual([other, long]);
    expect(withLine([long, other], short)).toEqual([long, other]);
    expect(withLine([other], short)).toEqual([other, short]);
  });
});
