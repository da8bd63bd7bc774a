import type { JSX } from 'preact';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';

/** After the end: the way on, and the record of what was played. */
export function After({ state }: { state: TableState }): JSX.Element | null {
  if (state.state.outcome === undefined && state.state.aborted === undefined) return null;
  return (
    <section class="card after" aria-label={text.after.title}>
      <a class="button" href="/" data-testid="leave-table">
        {text.toLobby}
      </a>
      <a class="quiet" href={`/api/matches/${state.match}/record`} download data-testid="record">
        {text.after.record}
      </a>
    </section>
  );
}
