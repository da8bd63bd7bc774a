import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { act } from 'preact/test-utils';
import { parseQuery, squaresOn } from '../src/store/table-queries.ts';
import { de } from '../src/text/de/index.ts';
import { en } from '../src/text/en/index.ts';
import { CLASSIC_BOARD, GREAT_CROSS } from './support/boards.ts';
import { ScriptedMatch } from './support/match.ts';
import { closePage, fillField, byTestId, renderTableAfterSnapshot, submitField, pressKey } from './support/page.tsx';

// A running clock would depend on the speed of the machine.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  closePage();
  vi.useRealTimers();
});

const words = ({ queries, colors, roles }: typeof en): Parameters<typeof parseQuery>[1][number] => ({ commands: queries.commands, colors, roles });
const english = (typed: string): unknown => parseQuery(typed, [words(en)]);
const german = (typed: string): unknown => parseQuery(typed, [words(de), words(en)]);

describe('a query', () => {
  test.each([
    ['c', { kind: 'clocks' }],
    ['Clocks', { kind: 'clocks' }],
    ['l', { kind: 'last', color: null }],
    ['last blue', { kind: 'last', color: 'blue' }],
    ['p', { kind: 'pieces', color: null, role: null }],
    ['p N', { kind: 'pieces', color: null, role: 'N' }],
    ['pieces red queens', { kind: 'pieces', color: 'red', role: 'Q' }],
    ['p b', { kind: 'pieces', color: null, role: 'B' }],
    ['s a', { kind: 'scan', line: { kind: 'file', name: 'a' } }],
    ['s 14', { kind: 'scan', line: { kind: 'rank', name: '14' } }],
    ['s d4 /', { kind: 'scan', line: { kind: 'diagonal', through: 'd4', directions: ['/'] } }],
    ['s d4', { kind: 'scan', line: { kind: 'diagonal', through: 'd4', directions: ['/', '\\'] } }],
    ['moves e4', { kind: 'moves', from: 'e4' }],
    ['?', { kind: 'help' }],
    ['s', { unclear: 'scan' }],
    ['s z', { unclear: 'scan' }],
    ['m 4', { unclear: 'moves' }],
    ['p purple', { unclear: 'pieces' }],
    ['c now', { unclear: 'clocks' }],
    ['h2h4', null],
    ['b4c4', null],
    ['', null],
  ])('%s is read', (typed, question) => {
    expect(english(typed)).toEqual(question);
  });

  test('is accepted in the language of the user, with or without accents, and in English', () => {
    expect(german('uhren')).toEqual({ kind: 'clocks' });
    expect(german('zuge e4')).toEqual({ kind: 'moves', from: 'e4' });
    expect(german('f grün türme')).toEqual({ kind: 'pieces', color: 'green', role: 'R' });
    expect(german('p red Läufer')).toEqual({ kind: 'pieces', color: 'red', role: 'B' });
  });
});

describe('a line of squares', () => {
  test('skips the holes of the cross', () => {
    expect(squaresOn(GREAT_CROSS, { kind: 'file', name: 'a' })).toEqual(['a4', 'a5', 'a6', 'a7', 'a8', 'a9', 'a10', 'a11']);
    expect(squaresOn(GREAT_CROSS, { kind: 'rank', name: '14' })).toEqual(['d14', 'e14', 'f14', 'g14', 'h14', 'i14', 'j14', 'k14']);
    expect(squaresOn(CLASSIC_BOARD, { kind: 'rank', name: '14' })).toEqual([]);
  });

  test('a diagonal rises, falls, or both', () => {
    expect(squaresOn(CLASSIC_BOARD, { kind: 'diagonal', through: 'c2', directions: ['/'] })).toEqual(['b1', 'c2', 'd3', 'e4', 'f5', 'g6', 'h7']);
    expect(squaresOn(CLASSIC_BOARD, { kind: 'diagonal', through: 'c2', directions: ['\\'] })).toEqual(['a4', 'b3', 'c2', 'd1']);
    expect(squaresOn(CLASSIC_BOARD, { kind: 'diagonal', through: 'c2', directions: ['/', '\\'] })).toHaveLength(10);
  });
});

describe('an answer', () => {
  function ask(typed: string): string[] {
    submitField('move-input', typed);
    return [...byTestId('answers').querySelectorAll('.query:last-child p:not(.query-question)')].map((line) => line.textContent ?? '');
  }

  function open(legal: string[] = []): ReturnType<typeof renderTableAfterSnapshot> {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
    match.move('e2e4');
    match.move('d7d5');
    match.state = { ...match.state, clock: { left_ms: { white: 61_000, black: 300_000 }, running: 'white', delay_left_ms: 0 } };
    return renderTableAfterSnapshot(match, 'white', legal);
  }

  test('describes clocks, moves, pieces, lines and players', () => {
    open(['e4d5', 'e4e5']);
    expect(ask('c')).toEqual(['White 1:01 (running), Black 5:00']);
    expect(ask('l')).toEqual(['Black pawn d7 to d5']);
    expect(ask('l white')).toEqual(['White pawn e2 to e4']);
    expect(ask('p black queens')).toEqual(['Black: queen d8']);
    expect(ask('p k')).toEqual(['White: king e1', 'Black: king e8']);
    expect(ask('s e')).toEqual(['File e: e1 white king, e4 white pawn, e7 black pawn, e8 black king, the rest empty']);
    expect(ask('s 3')).toEqual(['Rank 3: empty']);
    expect(ask('m e4')).toEqual(['The white pawn on e4 can move to: d5, capturing the black pawn, e5']);
    expect(ask('m a2')).toEqual(['The white pawn on a2 cannot move.']);
    expect(ask('w')).toEqual(['White: Ada, you, to move', 'Black: Ben']);
    expect(ask('r')).toEqual(['This variant has no reserves.']);
    expect(ask('h')).toHaveLength(9);
  });

  test('is announced politely, and can be closed', () => {
    open();
    ask('c');
    const log = byTestId('answers');
    expect([log.getAttribute('role'), log.getAttribute('aria-live')]).toEqual(['log', 'polite']);
    act(() => byTestId('answers-close').click());
    expect(byTestId('answers').textContent).toBe('');
  });

  test('is closed by Escape, wherever the focus is', () => {
    open();
    for (const focus of ['move-input', 'look-turn']) {
      expect(ask('?').length).toBeGreaterThan(1);
      byTestId(focus).focus();
      pressKey('Escape');
      expect(byTestId('answers').textContent, focus).toBe('');
    }
  });

  test('an unclear query stays in the field with an example', () => {
    open();
    submitField('move-input', 's z');
    expect(byTestId<HTMLInputElement>('move-input').value).toBe('s z');
    expect(document.querySelector('#move-input-wrong')?.textContent).toContain('s d4 /');
    fillField('move-input', 's');
    expect(document.querySelector('#move-input-wrong')?.textContent).toBe('');
  });

  test('spectators may ask too', () => {
    const match = new ScriptedMatch('dilkel', { red: 'Ada', blue: 'Ben', yellow: 'Cy', green: 'Di' }).startMatch('red');
    match.state = { ...match.state, reserves: { red: { rooks: 2, bishops: 0, knights: 1 }, blue: { rooks: 0, bishops: 0, knights: 0 } } };
    renderTableAfterSnapshot(match, null);
    expect(ask('r')).toEqual(['Red: 2 rooks, 1 knight', 'Blue: none']);
    expect(ask('m h2')).toEqual(['Only the player to move can list legal moves.']);
    expect(ask('p red q')).toEqual(['Red: queen h1']);
    expect(ask('c')).toEqual(['This game has no clocks.']);
  });
});
