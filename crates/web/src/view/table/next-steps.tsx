import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { anotherTable, nextMatch } from '../../store/next-table.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { useQuickJoin } from '../quick-join.ts';
import { goTo } from '../router.ts';

interface NextStepsProps {
  readonly state: TableState;
  /** Called before the viewer leaves the table. */
  readonly onLeave: () => void;
}

/** The buttons after a match is over for the viewer: start a similar match, or leave. */
export function NextSteps({ state, onLeave }: NextStepsProps): JSX.Element {
  const client = useClient();
  const quick = useQuickJoin();
  const [busy, setBusy] = useState(false);
  const { variant, time, rated } = state.settings;
  const next = nextMatch(state);
  const begin = async (): Promise<void> => {
    onLeave();
    if (next === 'public') return quick.join({ variant, time, ...(rated ? { rated } : {}) });
    setBusy(true);
    try {
      const { table } = await client.createTable(anotherTable(state));
      goTo(`/t/${table}`);
    } catch (error) {
      client.report(error);
    }
    setBusy(false);
    return undefined;
  };
  return (
    <>
      <div class="post-game-actions">
        <button type="button" class="button" data-testid="next" data-next={next} disabled={quick.busy || busy} onClick={() => void begin()}>
          {next === 'private' ? text.postGame.newPrivateTable : text.postGame.newMatch(variant)}
        </button>
        <button
          type="button"
          class="button"
          data-testid="leave-table"
          onClick={() => {
            onLeave();
            goTo('/');
          }}
        >
          {text.postGame.leave}
        </button>
      </div>
      <p class="quiet post-game-hint">
        {{ bots: text.postGame.sameBotsHint, private: text.postGame.newPrivateTableHint, public: text.postGame.newMatchHint }[next]}
      </p>
    </>
  );
}
