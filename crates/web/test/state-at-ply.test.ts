import { describe, expect, it } from 'vitest';
import { decisiveState, stateAtPly } from '../src/store/state-at-ply.ts';
import { foldTable, type TableState } from '../src/store/table.ts';
import { ScriptedMatch } from './support/match.ts';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cem', green: 'Dua' } as const;

function tableOf(match: ScriptedMatch): TableState {
  const result = foldTable(null, match.snapshot('red', ['a4a5']), { viewer: null, now_ms: 0 });
  if (result.kind !== 'changed') throw new Error('a snapshot is taken in');
  return result.state;
}

describe('stateAtPly', () => {
  it('is the start before the first move and the table itself after the last', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('blue');
    match.move('b5c5');
    match.move('e13e12');
    const table = tableOf(match);
    const start = stateAtPly(table, 0);
    expect(start.pieces).toEqual(table.start);
    expect(start.plies).toEqual([]);
    expect(start.state.turn).toBe('blue');
    expect(stateAtPly(table, -3)).toEqual(start);
    expect(stateAtPly(table, 2)).toBe(table);
    expect(stateAtPly(table, 99)).toBe(table);
  });

  it('has the board, the turn and the checks, without legal moves', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    match.move('e2e4');
    match.move('b5c5', { checks: ['red', 'yellow'] });
    match.move('e13e12');
    const moment = stateAtPly(tableOf(match), 2);
    expect(moment.pieces['c5']).toBe(match.start['b5']);
    expect(moment.pieces['e13']).toBe(match.start['e13']);
    expect(moment.state).toMatchObject({ phase: 'running', turn: 'yellow', checks: ['red', 'yellow'] });
    expect(moment.plies.map((ply) => ply.mv)).toEqual(['e2e4', 'b5c5']);
    expect(moment.seq).toBe(moment.history.at(-1)?.seq);
    expect([moment.ownSeats, moment.viewerSeat, moment.legalMoves]).toEqual([[], null, []]);
  });

  it('includes eliminations and checks by the last move', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    match.move('e2e4', { checks: ['blue'] });
    match.step({
      event: { type: 'eliminated', color: 'blue', cause: 'mate' },
      squares: { b5: null },
      state: { active_players: ['red', 'yellow', 'green'], turn: 'yellow' },
    });
    match.move('e13e12');
    const before = stateAtPly(tableOf(match), 0);
    const after = stateAtPly(tableOf(match), 1);
    expect(before.state.eliminated).toEqual([]);
    expect(before.pieces['b5']).toBeDefined();
    expect(after.state.eliminated).toEqual([{ color: 'blue', cause: 'mate' }]);
    expect(after.state.active_players).toEqual(['red', 'yellow', 'green']);
    expect(after.state.checks).toEqual([]);
    expect(after.pieces['b5']).toBeUndefined();
  });

  it('skips moves that were taken back', () => {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
    match.move('e2e4');
    match.move('e7e5');
    const back = { e7: 'bP', e5: null };
    match.step({ event: { type: 'taken_back', plies: 1 }, squares: back, state: { turn: 'black' } });
    match.move('d7d5');
    const table = tableOf(match);
    const moment = stateAtPly(table, 1);
    expect(moment.pieces['e7']).toBe('bP');
    expect(moment.pieces['e5']).toBeUndefined();
    expect(moment.state.turn).toBe('black');
    expect(stateAtPly(table, 2).pieces['d5']).toBe('bP');
  });

  it('has the time left on each clock', () => {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
    const clock = { left_ms: { white: 50_000, black: 58_000 }, running: 'white' as const, delay_left_ms: 0 };
    match.step({ event: { type: 'moved', color: 'white', move: 'e2e4', left_ms: 55_000 }, squares: { e2: null, e4: 'wP' } });
    match.step({ event: { type: 'moved', color: 'black', move: 'e7e5', left_ms: 58_000 }, squares: { e7: null, e5: 'bP' } });
    match.state = { ...match.state, clock };
    const table = tableOf(match);
    const timed: TableState = { ...table, settings: { ...table.settings, time: { kind: 'fischer', base_ms: 60_000, increment_ms: 0 } } };
    expect(stateAtPly(timed, 1).state.clock).toEqual({ left_ms: { white: 55_000, black: 60_000 }, delay_left_ms: 0 });
    expect(stateAtPly(table, 1).state.clock).toBeUndefined();
  });

  it('has the reserves of the remaining players', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    const [knight, two] = [{ rooks: 0, bishops: 0, knights: 1 }, { rooks: 1, bishops: 0, knights: 1 }];
    match.move('e2e4');
    match.move('b5e4', { reserves: { red: knight } });
    match.move('e13e12', { reserves: { red: two, green: knight } });
    match.step({ event: { type: 'eliminated', color: 'green', cause: 'resign' } });
    match.move('d2d3', { state: { reserves: { red: two, blue: knight, yellow: knight } } });
    const table = tableOf(match);
    const reserves = (ply: number) => stateAtPly(table, ply).state.reserves;
    const none = { rooks: 0, bishops: 0, knights: 0 };
    expect(reserves(0)).toEqual({ red: none, blue: none, yellow: none, green: none });
    expect(reserves(2)).toEqual({ red: knight, blue: none, yellow: none, green: none });
    expect(reserves(3)).toEqual({ red: two, blue: none, yellow: none });
    expect(reserves(4)).toBe(table.state.reserves);
  });

  it('has no reserves in a game without them', () => {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
    match.move('e2e4');
    match.move('e7e5');
    expect(stateAtPly(tableOf(match), 1).state.reserves).toBeUndefined();
  });
});

describe('decisiveState', () => {
  const outcome = { reason: 'mate' as const, places: { red: 1, yellow: 2, green: 3, blue: 4 } };

  function decided(): ScriptedMatch {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    match.move('e2e4');
    for (const color of ['blue', 'green'] as const) {
      match.step({ event: { type: 'eliminated', color, cause: 'resign' }, squares: color === 'blue' ? { b5: null } : { m5: null } });
    }
    match.move('e13e12');
    match.step({ event: { type: 'eliminated', color: 'yellow', cause: 'mate' }, squares: { e12: null } });
    return match;
  }

  it('has the army of the last eliminated player, and not those of earlier ones', () => {
    const match = decided();
    match.step({ event: { type: 'ended', ...outcome }, state: { phase: 'ended', turn: null, outcome } });
    const table = tableOf(match);
    const decisive = decisiveState(table);
    expect(table.pieces['e12']).toBeUndefined();
    expect(decisive.pieces['e12']).toBe(match.start['e13']);
    expect(decisive.pieces['b5']).toBeUndefined();
    expect(decisive.state.active_players).toEqual(['red', 'yellow']);
    expect(decisive.plies).toHaveLength(2);
  });

  it('is the present state while the match runs', () => {
    const table = tableOf(decided());
    expect(decisiveState(table)).toBe(table);
  });
});
