import { describe, expect, it } from 'vitest';
import { foldTable, type TableState } from '../src/store/table.ts';
import { headline, lastSentence, eventSentence } from '../src/text/sentence.ts';
import type { Color } from '../src/protocol/generated.ts';
import { ScriptedMatch } from './support/match.ts';

function stateOf(match: ScriptedMatch, you: Color | null): TableState {
  const result = foldTable(null, match.snapshot(you), { viewer: null, now_ms: 0 });
  if (result.kind !== 'changed') throw new Error('a snapshot is taken');
  return result.state;
}

function dilkel(): ScriptedMatch {
  return new ScriptedMatch('dilkel', { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' }).startMatch('red');
}

describe('lastSentence', () => {
  it('names the piece, the squares and the checked player, with "you" for the viewer', () => {
    const match = dilkel();
    match.move('h2h4');
    match.move('a7e7', { checks: ['red', 'green'] });
    expect(lastSentence(stateOf(match, 'red'))).toBe('Blue queen a7 to e7, check to you and Green');
    expect(lastSentence(stateOf(match, null))).toBe('Blue queen a7 to e7, check to Red and Green');
  });

  it('describes captures, promotions and castling', () => {
    const match = dilkel();
    match.move('h1n7', { notation: 'Qh1xKn7' });
    expect(lastSentence(stateOf(match, null))).toBe('Red queen h1 to n7, captures green king');
    const late = dilkel();
    late.pieces['d13'] = 'rP';
    late.start['d13'] = 'rP';
    late.move('d13c14r', { squares: { d13: null, c14: 'rR' } });
    expect(lastSentence(stateOf(late, null))).toBe('Red pawn d13 to c14, promotes to rook');
    const castling = dilkel();
    castling.move('g1e1', { notation: 'O-O', squares: { g1: null, e1: 'rK', d1: null, f1: 'rR' } });
    expect(lastSentence(stateOf(castling, null))).toBe('Red castles short');
  });

  it('describes eliminations and draw offers', () => {
    const match = dilkel();
    match.step({ event: { type: 'eliminated', color: 'blue', cause: 'time' } });
    expect(lastSentence(stateOf(match, null))).toBe('Blue runs out of time');
    match.step({
      event: { type: 'requested', request: 'draw', color: 'red' },
      state: { active_players: ['red', 'yellow', 'green'], requests: [{ request: 'draw', by: 'red', agreed: ['red'] }] },
    });
    expect(lastSentence(stateOf(match, 'green'))).toBe('Red offers a draw');
    expect(lastSentence(stateOf(match, 'red'))).toBe('You offered a draw. Waiting for Yellow and Green');
    expect(lastSentence(stateOf(match, null))).toBe('Red offers a draw');
  });

  it('names the player whose first move did not come', () => {
    const match = dilkel();
    match.move('h2h4');
    match.step({ event: { type: 'aborted', cause: 'first_move' }, state: { aborted: 'first_move' } });
    expect(lastSentence(stateOf(match, null))).toBe('Aborted: Blue did not make a first move in time');
    const resigned = dilkel();
    resigned.move('h2h4');
    resigned.step({ event: { type: 'eliminated', color: 'blue', cause: 'resign' } });
    resigned.step({ event: { type: 'aborted', cause: 'first_move' }, state: { aborted: 'first_move' } });
    expect(lastSentence(stateOf(resigned, null))).toBe('Aborted: Yellow did not make a first move in time');
    const agreed = dilkel();
    agreed.step({ event: { type: 'aborted', cause: 'agreement' }, state: { aborted: 'agreement' } });
    expect(lastSentence(stateOf(agreed, null))).toBe('Aborted: by agreement');
  });

  it('skips chat messages', () => {
    const match = dilkel();
    match.move('h2h4');
    const before = lastSentence(stateOf(match, null));
    const user = { id: '0192f0c1-2345-7000-8000-00000000000e', name: 'Eve' };
    match.step({ event: { type: 'message_sent', user, room: 'bystanders', message: { text: 'hm' } } });
    expect(lastSentence(stateOf(match, null))).toBe(before);
  });

  it('describes a takeback, and drops the move taken back', () => {
    const match = dilkel();
    match.move('h2h4');
    match.step({
      event: { type: 'requested', request: 'takeback', color: 'red' },
      state: { requests: [{ request: 'takeback', by: 'red', agreed: ['red', 'blue'] }] },
    });
    expect(lastSentence(stateOf(match, 'blue'))).toBe('You agreed. Waiting for Yellow and Green');
    expect(lastSentence(stateOf(match, 'green'))).toBe('Red asks for a takeback');
    match.step({ event: { type: 'taken_back', plies: 1 }, squares: { h4: null, h2: 'rP' }, state: { turn: 'red' } });
    const state = stateOf(match, null);
    expect(lastSentence(state)).toBe('One move taken back');
    expect(state.history.filter(({ event }) => event.type === 'moved').map((entry) => eventSentence(entry, state))).toEqual(['']);
  });
});

describe('headline', () => {
  it('names the player to move', () => {
    expect(headline(stateOf(dilkel(), 'red'))).toBe('Your move');
    expect(headline(stateOf(dilkel(), 'blue'))).toBe('Red to move');
    expect(headline(stateOf(new ScriptedMatch('classic', { white: null, black: null }), null))).toBe('Waiting for players');
  });

  it('describes the result', () => {
    const match = dilkel();
    const end = (places: Partial<Record<Color, number>>): void => {
      const { turn: _, ...before } = match.state;
      match.state = { ...before, phase: 'ended', outcome: { reason: 'agreement', places } };
    };
    end({ red: 1, blue: 2, yellow: 3, green: 4 });
    expect(headline(stateOf(match, 'red'))).toBe('You win');
    expect(headline(stateOf(match, 'blue'))).toBe('Red wins');
    end({ red: 1, blue: 3, yellow: 1, green: 4 });
    expect(headline(stateOf(match, null))).toBe('Draw: Red and Yellow');
    end({ red: 1, blue: 1, yellow: 1, green: 1 });
    expect(headline(stateOf(match, null))).toBe('Draw');
  });
});
