import { describe, expect, it } from 'vitest';
import { Analysis } from '../src/store/analysis/analysis.ts';
import { linkToAnalysis, analysisStartFrom } from '../src/store/analysis/analysis-start.ts';
import { ScriptedExplorer } from './support/explorer.ts';

describe('the start of an analysis in an address', () => {
  it('is the initial position of dilkel by default', () => {
    expect(analysisStartFrom('')).toEqual({ kind: 'setup', setup: { kind: 'start', variant: 'dilkel' }, moves: [] });
    expect(analysisStartFrom('?variant=chaturanga')).toEqual(analysisStartFrom(''));
  });

  it('is a position with moves', () => {
    expect(analysisStartFrom('?variant=classic&fen=8/8+w&moves=e2e4-e7e5')).toEqual({
      kind: 'setup',
      setup: { kind: 'text', text: '8/8 w', variant: 'classic' },
      moves: ['e2e4', 'e7e5'],
    });
  });

  it('is a match at a ply', () => {
    expect(analysisStartFrom('?match=m1&ply=12')).toEqual({ kind: 'match', match: 'm1', ply: 12, moves: [] });
    expect(analysisStartFrom('?match=m1&ply=x')).toEqual({ kind: 'match', match: 'm1', ply: null, moves: [] });
    expect(analysisStartFrom('?match=m1&ply=3&moves=e2e4-e7e5')).toEqual({ kind: 'match', match: 'm1', ply: 3, moves: ['e2e4', 'e7e5'] });
  });
});

describe('a link to the current node', () => {
  async function at(setup: Parameters<Analysis['begin']>[0], ...moves: string[]): Promise<string | null> {
    const server = new ScriptedExplorer();
    server.texts['1. e4'] = ['e2e4'];
    server.texts['fen'] = [];
    const analysis = new Analysis(server);
    void analysis.begin(setup, moves);
    await server.answer();
    return linkToAnalysis(analysis);
  }

  it('contains the moves and leads to the same position', async () => {
    const link = await at({ kind: 'start', variant: 'classic' }, 'e2e4', 'e7e5');
    expect(link).toBe('/analysis?variant=classic&moves=e2e4-e7e5');
    expect(analysisStartFrom(link?.slice('/analysis'.length) ?? '')).toEqual({
      kind: 'setup',
      setup: { kind: 'start', variant: 'classic' },
      moves: ['e2e4', 'e7e5'],
    });
  });

  it('contains the setup that the moves began from', async () => {
    expect(await at({ kind: 'text', text: 'fen' }, 'e2e4')).toBe('/analysis?variant=classic&fen=start&moves=e2e4');
  });

  it('contains only the position for a game in notation', async () => {
    expect(await at({ kind: 'text', text: '1. e4' }, 'e7e5')).toBe('/analysis?variant=classic&fen=fen+after+2');
  });

  it('is missing until the server has answered', () => {
    expect(linkToAnalysis(new Analysis(new ScriptedExplorer()))).toBeNull();
  });
});
