import { act } from 'preact/test-utils';
import { afterEach, expect, it } from 'vitest';
import { ScriptedMatch } from './support/match.ts';
import { byTestId, click, closePage, renderTableAfterSnapshot } from './support/page.tsx';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };

const entries = (): (string | null)[] => [...byTestId('announcer').children].map((entry) => entry.textContent);

/**
 * Returns the texts of the entries that an action adds or changes, because screen readers read them
 * out.
 */
async function readOut(action: () => void): Promise<string[]> {
  const said: string[] = [];
  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      for (const node of type === 'childList' ? [...addedNodes] : [target]) said.push(node.textContent ?? '');
    }
  });
  observer.observe(byTestId('announcer'), { subtree: true, childList: true, characterData: true });
  act(action);
  await Promise.resolve();
  observer.disconnect();
  return said;
}

afterEach(closePage);

it('says how the board is turned when the page opens', () => {
  renderTableAfterSnapshot(new ScriptedMatch('dilkel', { ...FOUR, red: 'Eve', blue: 'Ada' }).startMatch('red'), 'blue');
  expect(entries()[0]).toBe('Four-player board, you are Blue, at the bottom');
  closePage();
  renderTableAfterSnapshot(new ScriptedMatch('dilkel', FOUR).startMatch('red'), null);
  expect(entries()[0]).toBe('Four-player board, Red is at the bottom');
});

it('says which seat is at the bottom each time the board is turned', async () => {
  renderTableAfterSnapshot(new ScriptedMatch('dilkel', FOUR).startMatch('red'), 'blue');
  const turn = (): void => click(byTestId('look-turn'));
  expect(await readOut(turn)).toEqual(['Four-player board, Yellow is at the bottom']);
  expect(await readOut(turn)).toEqual(['Four-player board, Green is at the bottom']);
  expect(await readOut(turn)).toEqual(['Four-player board, Red is at the bottom']);
  expect(await readOut(turn)).toEqual(['Four-player board, you are Blue, at the bottom']);
});

it('says once that the turn of the viewer begins, with the move before it', async () => {
  const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
  const socket = renderTableAfterSnapshot(match, 'red', ['h2h4']);
  expect(await readOut(() => socket.receive(match.move('h2h4')))).toEqual(['Red pawn h2 to h4']);
  for (const mv of ['b8d8', 'g13g11']) act(() => socket.receive(match.move(mv)));
  const frame = { ...match.move('m7k7'), legal_moves: ['g2g3'] };
  expect(await readOut(() => socket.receive(frame))).toEqual(['Your move. Green pawn m7 to k7']);
  const request = { ...match.step({ event: { type: 'requested', request: 'draw', color: 'blue' } }), legal_moves: ['g2g3'] };
  const [said, ...more] = await readOut(() => socket.receive(request));
  expect(said).toMatch(/^Blue/);
  expect(more).toEqual([]);
});

it('says who is eliminated and how the match ends', async () => {
  const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
  const socket = renderTableAfterSnapshot(match, 'yellow');
  const out = match.step({ event: { type: 'eliminated', color: 'blue', cause: 'resign' } });
  expect((await readOut(() => socket.receive(out))).join()).toMatch(/Blue/);
  const outcome = { places: { red: 1, blue: 4, yellow: 2, green: 3 }, reason: 'mate' } as const;
  const over = match.step({ event: { type: 'ended', ...outcome }, state: { phase: 'ended', turn: null, outcome } });
  expect(await readOut(() => socket.receive(over))).toEqual(['Red wins']);
});
