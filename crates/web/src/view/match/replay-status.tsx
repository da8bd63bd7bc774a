import type { JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { abortReason, headline, lastSentence, outcomeSentence, winners } from '../../text/sentence.ts';

/**
 * The color to move, the last event, and the result at the end. A screen reader announces each
 * change.
 */
export function ReplayStatus({ state, shownState }: { state: TableState; shownState: TableState }): JSX.Element {
  const { turn, outcome, aborted, checks } = shownState.state;
  const best = outcome === undefined ? [] : winners(outcome);
  const color: Color | null = turn ?? (best.length === 1 ? (best[0] ?? null) : null);
  const running = state.state.phase === 'running';
  return (
    <section class="status" data-color={color} data-mine="false" data-testid="status">
      <h1 class="status-head">
        <span>{headline(shownState)}</span>
        {checks.length > 0 && outcome === undefined && <span class="check-sign">{text.table.inCheck(checks, null)}</span>}
      </h1>
      <p class="status-text" role="status">
        {outcome !== undefined ? outcomeSentence(shownState.state) : aborted === undefined ? lastSentence(shownState) : text.events.aborted(abortReason(aborted, state))}
      </p>
      {running && (
        <a class="button small status-action" href={`/t/${state.table}`}>
          {text.replay.live}
        </a>
      )}
    </section>
  );
}
