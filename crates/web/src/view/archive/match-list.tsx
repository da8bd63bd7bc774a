import type { ComponentChildren, JSX } from 'preact';
import type { MatchPages } from '../../store/match-pages.ts';
import { text } from '../../text/index.ts';
import { MatchCard } from './match-card.tsx';

/**
 * A list of matches that is loaded page by page. If it is empty or cannot be loaded, a text says
 * so.
 */
export function MatchList({ pages, emptyMessage }: { pages: MatchPages | null; emptyMessage: ComponentChildren }): JSX.Element {
  const matches = pages?.matches.value ?? [];
  const loadState = pages?.loadState.value ?? 'loading';
  return (
    <div class="match-list" data-testid="match-list" data-state={loadState} aria-busy={loadState === 'loading'}>
      {matches.length > 0 && (
        <ul class="match-cards">
          {matches.map((summary) => (
            <MatchCard key={summary.match} summary={summary} />
          ))}
        </ul>
      )}
      {loadState === 'failed' ? (
        <div class="empty" role="alert">
          <p>{text.archive.loadFailed}</p>
          <button type="button" class="button" data-testid="matches-again" onClick={() => void pages?.load()}>
            {text.archive.tryAgain}
          </button>
        </div>
      ) : (
        matches.length === 0 && (loadState === 'loading' ? <p class="quiet">{text.archive.loading}</p> : <div class="empty">{emptyMessage}</div>)
      )}
      {pages?.hasMore.value === true && loadState !== 'failed' && (
        <button
          type="button"
          class="button more"
          data-testid="matches-more"
          disabled={loadState === 'loading'}
          onClick={() => void pages?.load()}
        >
          {text.archive.showMore}
        </button>
      )}
    </div>
  );
}
