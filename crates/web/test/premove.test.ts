import { describe, expect, it } from 'vitest';
import type { TableFrame } from '../src/protocol/frames.ts';
import type { Move } from '../src/protocol/generated.ts';
import { premoveFate, PremoveOptions, premoveColor, type Premove } from '../src/store/premove.ts';
import { foldTable, type TableState } from '../src/store/table.ts';
import { MATCH, ScriptedMatch } from './support/match.ts';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };

function fold(state: TableState | null, frame: TableFrame): TableState {
  const result = foldTable(state, frame, { viewer: 'id-of-ada', now_ms: 0 });
  if (result.kind !== 'changed') throw new Error(`the frame is ${result.kind}`);
  return result.state;
}

/** A match in which the others move and Red makes a premove before Yellow's move. */
function scene(): { match: ScriptedMatch; state: TableState; premove: Premove } {
  const match = new ScriptedMatch('dilkel', FOUR).startMatch('blue');
  let state = fold(null, match.snapshot('red'));
  state = fold(state, match.move('b7c7'));
  return {
    match,
    state,
    premove: { color: 'red', from: 'h2', to: 'h4', promotion: null, match: MATCH, after_seq: state.seq },
  };
}

function untilRed(match: ScriptedMatch, state: TableState, legal: Move[]): TableState {
  const after = fold(state, match.move('g13g12'));
  return { ...fold(after, match.move('m7l7')), legalMoves: legal };
}

describe('premoveColor', () => {
  it('is an active own color while others are to move', () => {
    const { state } = scene();
    expect(premoveColor(state)).toBe('red');
    expect(premoveColor({ ...state, viewerSeat: null })).toBeNull();
    expect(premoveColor({ ...state, viewerSeat: 'yellow' })).toBeNull();
    expect(premoveColor({ ...state, state: { ...state.state, active_players: ['blue', 'yellow', 'green'] } })).toBeNull();
    expect(premoveColor({ ...state, state: { ...state.state, phase: 'ended' } })).toBeNull();
  });
});

describe('PremoveOptions', () => {
  it('lets own pieces go to any other square, also onto own pieces', () => {
    const { state } = scene();
    const playable = new PremoveOptions(state.pieces, 'red');
    expect([playable.canMove('h2'), playable.canMove('b8'), playable.canMove('h7')]).toEqual([true, false, false]);
    expect([playable.canGo('h2', 'h9'), playable.canGo('h2', 'g2'), playable.canGo('h2', 'h2')]).toEqual([true, true, false]);
  });
});

describe('premoveFate', () => {
  it('waits during the moves of others', () => {
    const { match, state, premove } = scene();
    expect(premoveFate(premove, state)).toEqual({ kind: 'wait' });
    const taken = match.move('g13g12', { squares: { g13: null, h2: 'yQ' } });
    expect(premoveFate(premove, fold(state, taken))).toEqual({ kind: 'wait' });
  });

  it('plays a legal premove on its turn', () => {
    const { match, state, premove } = scene();
    expect(premoveFate(premove, untilRed(match, state, ['h2h3', 'h2h4']))).toEqual({ kind: 'play', mv: 'h2h4' });
  });

  it('drops an illegal premove on its turn', () => {
    const { match, state, premove } = scene();
    expect(premoveFate(premove, untilRed(match, state, ['h2h3']))).toEqual({ kind: 'dropped' });
  });

  it('waits without legal moves, because a mated player gets a turn before its elimination', () => {
    const { match, state, premove } = scene();
    expect(premoveFate(premove, untilRed(match, state, []))).toEqual({ kind: 'wait' });
  });

  it('waits while the match is suspended', () => {
    const { match, state, premove } = scene();
    const after = untilRed(match, state, ['h2h4']);
    const suspension = { ...after, state: { ...after.state, suspension: { kind: 'paused' as const, left_ms: 1_000 } } };
    expect(premoveFate(premove, suspension)).toEqual({ kind: 'wait' });
  });

  it('asks for a missing promotion', () => {
    const { match, state, premove } = scene();
    const after = untilRed(match, state, ['h2h4q', 'h2h4n']);
    expect(premoveFate(premove, after)).toEqual({ kind: 'choose' });
    expect(premoveFate({ ...premove, promotion: 'n' }, after)).toEqual({ kind: 'play', mv: 'h2h4n' });
    expect(premoveFate({ ...premove, promotion: 'r' }, after)).toEqual({ kind: 'dropped' });
  });

  it('is gone after another move, an elimination, the end, or in another match', () => {
    const { match, state, premove } = scene();
    const moved = fold(untilRed(match, state, ['h2h4']), match.move('g2g4'));
    expect(premoveFate(premove, moved)).toEqual({ kind: 'gone' });
    const out = { ...state, state: { ...state.state, eliminated: [{ color: 'red' as const, cause: 'time' as const }] } };
    expect(premoveFate(premove, out)).toEqual({ kind: 'gone' });
    expect(premoveFate(premove, { ...state, state: { ...state.state, phase: 'ended' as const } })).toEqual({ kind: 'gone' });
    expect(premoveFate(premove, { ...state, match: 'another' })).toEqual({ kind: 'gone' });
  });
});
