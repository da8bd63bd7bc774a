import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Variant } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { useQuickJoin } from '../quick-join.ts';
import { useRatedWait } from './use-rated-wait.ts';
import { CLOCK_PRESETS, DEFAULT_CHOICES, timeSetting } from './table-choices.ts';

/** The clocks of rated matches, for which players are found at once. */
const RATED_CLOCKS = CLOCK_PRESETS.filter(({ clock }) => clock === 'fischer' || clock === 'delay');

/** The buttons that find players for a rated match, one for each common clock. Guests need an account first. */
export function RatedQuickJoin({ variant, isBusy }: { variant: Variant; isBusy: boolean }): JSX.Element {
  const { user: { value: user }, status } = useClient();
  const wait = useRatedWait();
  // The user may have left a match since the status was requested.
  useEffect(() => {
    if (status.isOperator.peek() !== null) void status.refresh();
  }, [status]);
  const quick = useQuickJoin();
  const hasAccount = user?.account === true;
  return (
    <section class="rated-quick" aria-labelledby="rated-quick-title" data-testid="rated-quick">
      <p class="rated-quick-head">
        <span id="rated-quick-title">{text.playPanel.rated}</span>
        {user !== null && !hasAccount && (
          <a class="quiet" href="/sign-up">
            {text.account.create}
          </a>
        )}
      </p>
      <div class="rated-clocks">
        {RATED_CLOCKS.map((preset) => (
          <button
            key={preset.id}
            type="button"
            class="button rated-clock"
            data-testid={`rated-${preset.id}`}
            disabled={isBusy || quick.busy || !hasAccount || wait !== null}
            onClick={() => void quick.join({ variant, rated: true, time: timeSetting({ ...DEFAULT_CHOICES, ...preset }) })}
          >
            <span>{text.newTableDialog.preset(preset)}</span>
            <small>{text.newTableDialog.presetHint(preset)}</small>
          </button>
        ))}
      </div>
      {hasAccount && wait !== null && (
        <p class="quiet rated-wait" data-testid="rated-wait">
          {wait} {text.ratedWait.hint}
        </p>
      )}
    </section>
  );
}
