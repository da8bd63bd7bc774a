import { describe, expect, it } from 'vitest';
import type { MatchFilter } from '../src/store/api.ts';
import { MatchPages } from '../src/store/match-pages.ts';
import type { MatchList } from '../src/protocol/generated.ts';
import { matchSummary } from './support/archive.ts';

const names = (pages: MatchPages): string => pages.matches.value.map(({ match }) => match).join(' ');

function asking(...answers: (MatchList | Error)[]): { pages: MatchPages; asked: MatchFilter[] } {
  const asked: MatchFilter[] = [];
  const matches = (filter: MatchFilter): Promise<MatchList> => {
    asked.push(filter);
    const answer = answers.shift() ?? new Error('asked too often');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { pages: new MatchPages({ matches }, { variant: 'dilkel' }), asked };
}

describe('MatchPages', () => {
  it('continues after the previous page', async () => {
    const { pages, asked } = asking(
      { matches: [matchSummary('a'), matchSummary('b')], next: 'after-b' },
      { matches: [matchSummary('c')] },
    );
    expect(pages.loadState.value).toBe('loading');
    await pages.load();
    expect([names(pages), pages.hasMore.value, pages.loadState.value]).toEqual(['a b', true, 'loaded']);
    await pages.load();
    expect([names(pages), pages.hasMore.value]).toEqual(['a b c', false]);
    expect(asked).toEqual([
      { variant: 'dilkel', limit: 24 },
      { variant: 'dilkel', before: 'after-b', limit: 24 },
    ]);
  });

  it('keeps the list after a failure, and requests the same page again', async () => {
    const { pages, asked } = asking(
      { matches: [matchSummary('a')], next: 'after-a' },
      new TypeError('no network'),
      { matches: [matchSummary('b')] },
    );
    await pages.load();
    await pages.load();
    expect([names(pages), pages.loadState.value]).toEqual(['a', 'failed']);
    await pages.load();
    expect([names(pages), pages.loadState.value]).toEqual(['a b', 'loaded']);
    expect(asked[2]).toEqual(asked[1]);
  });

  it('lists a match once, also when the pages have shifted', async () => {
    const { pages } = asking(
      { matches: [matchSummary('a'), matchSummary('b')], next: 'x' },
      { matches: [matchSummary('b'), matchSummary('c')] },
    );
    await pages.load();
    await pages.load();
    expect(names(pages)).toBe('a b c');
  });
});
