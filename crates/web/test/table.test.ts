import { describe, expect, it } from 'vitest';
import type { TableFrame } from '../src/protocol/frames.ts';
import { foldTable, canTakeBack, isActive, lastPlies, clockLeft_ms, type FoldContext, type TableState } from '../src/store/table.ts';
import { replay } from '../src/store/replay.ts';
import { user } from './support/boards.ts';
import { MATCH, ScriptedMatch, SECRET, TABLE } from './support/match.ts';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };
const context: FoldContext = { viewer: user('Ada').id, now_ms: 1_000 };

/** Applies frames, each of which must change the state. */
function fold(state: TableState | null, ...frames: TableFrame[]): TableState {
  let now = state;
  for (const frame of frames) {
    const result = foldTable(now, frame, context);
    if (result.kind !== 'changed') throw new Error(`${frame.t} was ${result.kind}`);
    now = result.state;
  }
  if (now === null) throw new Error('no frames');
  return now;
}

describe('foldTable', () => {
  it('applies a snapshot and the events after it', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    let state = fold(null, match.snapshot('red', ['h2h4']));
    expect(state).toMatchObject({ seq: 6, viewerSeat: 'red', legalMoves: ['h2h4'], settings: { variant: 'dilkel' } });

    state = fold(state, match.move('h2h4'));
    expect(state.seq).toBe(7);
    expect(state.pieces['h2']).toBeUndefined();
    expect(state.pieces['h4']).toBe('rP');
    expect(state.state.turn).toBe('blue');
    expect(state.legalMoves).toEqual([]);
    expect(state.plies).toHaveLength(1);
  });

  it('has legal moves only for the player who received them', () => {
    const match = new ScriptedMatch('classic', { white: 'Ben', black: 'Ada' }).startMatch('white');
    const state = fold(null, match.snapshot('black'));
    const frame = { ...match.move('e2e4'), legal_moves: ['e7e5', 'e7e6'] };
    expect(fold(state, frame).legalMoves).toEqual(['e7e5', 'e7e6']);
  });

  it('leaves the given state unchanged', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    const state = fold(null, match.snapshot(null));
    const before = structuredClone(state);
    fold(state, match.move('h2h4'), match.move('b7c7'));
    expect(state).toEqual(before);
  });

  it('drops known events', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    const first = fold(null, match.snapshot(null));
    const frame = match.move('h2h4');
    const state = fold(first, frame);
    expect(foldTable(state, frame, context)).toEqual({ kind: 'old' });
    expect(foldTable(state, { ...frame, seq: 2 }, context)).toEqual({ kind: 'old' });
  });

  it('notices a gap and recovers with the missing events', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    const state = fold(null, match.snapshot(null));
    const frames = [match.move('h2h4'), match.move('b7c7'), match.move('g13g12')] as const;
    expect(foldTable(state, frames[1], context)).toEqual({ kind: 'gap' });
    expect(foldTable(null, frames[0], context)).toEqual({ kind: 'gap' });
    expect(fold(state, ...frames).pieces).toEqual(match.pieces);
  });

  it('gives the same state by events and by a snapshot', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    let followed = fold(null, match.snapshot(null));
    for (const mv of ['h2h4', 'b7c7', 'g13g12', 'm8l8', 'e1f3', 'a10c9']) followed = fold(followed, match.move(mv));
    expect(followed).toEqual(fold(null, match.snapshot(null)));
  });

  it('counts skipped events, and changes nothing else', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    const state = fold(null, match.snapshot('red', ['h2h4']));
    const skip = { t: 'skip', table: TABLE, match: MATCH, seq: state.seq + 1 } as const;
    expect(fold(state, skip)).toEqual({ ...state, seq: state.seq + 1, hasSkippedEvents: true });
    expect(foldTable(state, { ...skip, seq: state.seq }, context)).toEqual({ kind: 'old' });
    expect(foldTable(state, { ...skip, seq: state.seq + 2 }, context)).toEqual({ kind: 'gap' });
    expect(foldTable(state, { ...skip, match: TABLE }, context)).toEqual({ kind: 'gap' });
    expect(foldTable(null, skip, context)).toEqual({ kind: 'gap' });
  });

  it('takes moves back, by events and by a snapshot', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    let state = fold(null, match.snapshot(null));
    for (const mv of ['h2h4', 'b7c7', 'g13g12']) state = fold(state, match.move(mv));
    const squares = { c7: null, b7: 'bP', g12: null, g13: 'yP' };
    state = fold(state, match.step({ event: { type: 'taken_back', plies: 2 }, squares, state: { turn: 'blue' } }));
    expect(state.plies.map((ply) => ply.mv)).toEqual(['h2h4']);
    expect(state.pieces).toMatchObject({ h4: 'rP', b7: 'bP', g13: 'yP' });
    expect([canTakeBack(state, 'red'), canTakeBack(state, 'blue')]).toEqual([true, false]);
    expect(state).toEqual(fold(null, match.snapshot(null)));
  });

  it('refuses events of another match', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    const state = fold(null, match.snapshot(null));
    const other = { ...match.move('h2h4'), match: TABLE };
    expect(foldTable(state, other, context)).toEqual({ kind: 'gap' });
  });

  it('applies a newer snapshot and refuses an older one of the same match', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    const old = match.snapshot(null);
    const state = fold(null, old);
    match.move('h2h4');
    const newer = fold(state, match.snapshot(null));
    expect(newer.seq).toBe(7);
    expect(foldTable(newer, old, context)).toEqual({ kind: 'old' });
    const other = { ...old, match: '0192f0c1-2345-7000-8000-0000000000bb' };
    expect(fold(newer, other).match).toBe(other.match);
  });

  it('seats users, including the viewer', () => {
    const match = new ScriptedMatch('dilkel', { red: null, blue: 'Ben', yellow: null, green: null });
    let state = fold(null, match.snapshot(null));
    expect(state.viewerSeat).toBeNull();
    state = fold(state, match.step({ event: { type: 'seated', color: 'green', user: user('Ada'), nonce: 'n' } }));
    expect(state.viewerSeat).toBe('green');
    expect(state.seats.find((seat) => seat.color === 'green')?.user?.name).toBe('Ada');
    state = fold(state, match.step({ event: { type: 'vacated', color: 'green', reason: 'left' } }));
    expect(state.viewerSeat).toBeNull();
    expect(state.seats.find((seat) => seat.color === 'green')?.user).toBeNull();
    state = fold(state, match.step({ event: { type: 'host_changed', host: user('Ben') } }));
    expect(state.host.name).toBe('Ben');
    const seats = { red: user('Ada'), blue: user('Cat'), yellow: user('Dan'), green: user('Ben') };
    state = fold(state, match.step({ event: { type: 'started', first_player: 'red', secret: SECRET, seats } }));
    expect(state.viewerSeat).toBe('red');
    expect(state.seats.map((seat) => seat.user?.name)).toEqual(['Ada', 'Cat', 'Dan', 'Ben']);
  });

  it('removes an army when the frame does', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    let state = fold(null, match.snapshot(null), match.move('h2h4'), match.move('b7c7'));
    const army = Object.entries(match.pieces).flatMap(([square, piece]) => (piece.startsWith('b') ? [square] : []));
    state = fold(
      state,
      match.step({
        event: { type: 'eliminated', color: 'blue', cause: 'resign' },
        squares: Object.fromEntries(army.map((square) => [square, null])),
        state: { active_players: ['red', 'yellow', 'green'], eliminated: [{ color: 'blue', cause: 'resign' }] },
      }),
    );
    expect(Object.values(state.pieces).filter((piece) => piece.startsWith('b'))).toEqual([]);
    expect(Object.keys(state.pieces)).toHaveLength(48);
    expect(isActive(state, 'blue')).toBe(false);
    expect(lastPlies(state).map((ply) => ply.color)).toEqual(['red']);
  });

  it('applies presence', () => {
    const match = new ScriptedMatch('dilkel', FOUR);
    const presence: TableFrame = { t: 'presence', table: TABLE, players: [{ color: 'red', presence: 'connected' }], spectators: 4 };
    expect(foldTable(null, presence, context)).toEqual({ kind: 'old' });
    expect(fold(fold(null, match.snapshot(null)), presence)).toMatchObject({ players: [{ color: 'red' }], spectators: 4, seq: 5 });
  });
});

describe('replay', () => {
  it('returns the board and the capture of each move', () => {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
    match.move('e2e4');
    const early = { ...match.pieces };
    match.move('d7d5');
    match.move('e4d5', { notation: 'exd5' });
    match.move('c7c5');
    match.move('d5c6', { notation: 'dxc6', squares: { d5: null, c6: 'wP', c5: null } });
    const { plies, pieces } = replay(match.start, match.history);
    expect(pieces).toEqual(match.pieces);
    expect(replay(match.start, match.history.slice(0, 5)).pieces).toEqual(early);
    expect(plies.map((ply) => ply.captured)).toEqual([null, null, 'bP', null, 'bP']);
    expect(plies.map((ply) => ply.piece)).toEqual(['wP', 'bP', 'wP', 'bP', 'wP']);
  });
});

describe('clocks', () => {
  const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
  match.state.clock = { left_ms: { white: 60_000, black: 50_000 }, running: 'white', delay_left_ms: 5_000 };
  const state = fold(null, match.snapshot('white'));

  it('run for the seat to move after the delay, and stop at zero', () => {
    expect(clockLeft_ms(state, 'white', 1_000)).toBe(60_000);
    expect(clockLeft_ms(state, 'white', 6_000)).toBe(60_000);
    expect(clockLeft_ms(state, 'white', 8_500)).toBe(57_500);
    expect(clockLeft_ms(state, 'white', 999_000)).toBe(0);
  });

  it('stop for the others, and are missing without clocks', () => {
    expect(clockLeft_ms(state, 'black', 99_000)).toBe(50_000);
    const { clock: _, ...bare } = state.state;
    expect(clockLeft_ms({ ...state, state: bare }, 'white', 2_000)).toBeNull();
  });
});
