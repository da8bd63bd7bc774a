import type { ComponentChildren, JSX } from 'preact';
import type { MatchPages } from '../../store/match-pages.ts';
import { text } from '../../text/index.ts';
import { MatchCard } from './match-card.tsx';

/** Matches page by page, with a way to more of them, and words where there are none or none are to be had. */
export function MatchList({ pages, none }: { pages: MatchPages | null; none: ComponentChildren }): JSX.Element {
  const matches = pages?.matches.value ?? [];
  const standing = pages?.loadState.value ?? 'loading';
  return (
    <div class="match-list" data-testid="match-list" data-standing={standing} aria-busy={standing === 'loading'}>
      {matches.length > 0 && (
        <ul class="match-cards">
          {matches.map((summary) => (
            <MatchCard key={summary.match} summary={summary} />
          ))}
        </ul>
      )}
      {standing === 'failed' ? (
        <div class="empty" role="alert">
          <p>{text.archive.failed}</p>
          <button type="button" class="button" data-testid="matches-again" onClick={() => void pages?.load()}>
            {text.archive.again}
          </button>
        </div>
      ) : (
        matches.length === 0 && (standing === 'loading' ? <p class="quiet">{text.archive.loading}</p> : <div class="empty">{none}</div>)
      )}
      {pages?.hasMore.value === true && standing !== 'failed' && (
        <button
          type="button"
          class="button more"
          data-testid="matches-more"
          disabled={standing === 'loading'}
          onClick={() => void pages?.load()}
        >
          {text.archive.more}
        </button>
      )}
    </div>
  );
}
