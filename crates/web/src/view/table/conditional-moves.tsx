import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Color } from '../../protocol/generated.ts';
import { httpConditionalApi, type ConditionalApi } from '../../store/conditional-api.ts';
import { conditionalSeat, ConditionalMovesStore, type ConditionalLine } from '../../store/conditional-moves.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { ConditionalEditor } from './conditional-editor.tsx';
import { ConditionalSteps } from './conditional-steps.tsx';

interface ConditionalMovesPanelProps {
  readonly state: TableState;
  readonly api?: ConditionalApi;
}

/** The conditional moves of the viewer in a correspondence match. */
export function ConditionalMovesPanel({ state, api = httpConditionalApi }: ConditionalMovesPanelProps): JSX.Element | null {
  const seat = conditionalSeat(state);
  return seat === null ? null : <ConditionalMovesOf key={`${state.match} ${seat}`} state={state} seat={seat} api={api} />;
}

function ConditionalMovesOf({ state, seat, api }: { state: TableState; seat: Color; api: ConditionalApi }): JSX.Element {
  const client = useClient();
  const store = useMemo(() => new ConditionalMovesStore(api), [api]);
  const [isEditing, setEditing] = useState(false);
  const { table, seq } = state;
  // Each event may end lines, or be a conditional move.
  useEffect(() => {
    store.load(table).catch((error: unknown) => client.report(error));
  }, [client, store, table, seq]);
  const lines = store.linesOf(seat);
  const played = store.moves.value?.played.length ?? 0;
  const isOwnTurn = state.state.turn === seat;
  const remove = (line: ConditionalLine): void => {
    store.remove(state, seat, line).catch((error: unknown) => client.report(error));
  };
  return (
    <details class="card conditional" data-testid="conditional">
      <summary data-testid="conditional-summary">
        {text.conditional.title}
        {lines.length > 0 && <span class="quiet"> · {text.conditional.planned(lines.length)}</span>}
      </summary>
      <p class="quiet">{text.conditional.hint}</p>
      {lines.length > 0 && (
        <ol class="conditional-lines">
          {lines.map((line) => (
            <li key={JSON.stringify(line)} data-testid="conditional-line">
              <ConditionalSteps steps={line} />
              <button
                type="button"
                class="icon-button"
                aria-label={text.conditional.remove}
                title={text.conditional.remove}
                disabled={store.isBusy.value}
                data-testid="conditional-remove"
                onClick={() => remove(line)}
              >
                ×
              </button>
            </li>
          ))}
        </ol>
      )}
      {played > 0 && <p class="quiet" data-testid="conditional-played">{text.conditional.played(played)}</p>}
      {isOwnTurn ? (
        <p class="quiet">{text.conditional.ownTurn}</p>
      ) : (
        <button type="button" class="button" data-testid="conditional-add" onClick={() => setEditing(true)}>
          {text.conditional.add}
        </button>
      )}
      {isEditing && !isOwnTurn && (
        <ConditionalEditor key={state.plies.length} state={state} seat={seat} store={store} api={api} onClose={() => setEditing(false)} />
      )}
    </details>
  );
}
