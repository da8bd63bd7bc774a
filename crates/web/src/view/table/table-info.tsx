import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { allSettings, timeControlText, unusualSettings } from '../../text/settings.ts';
import { VariantEmblem } from '../variant-emblem.tsx';
import { HandoverButton } from '../handover.tsx';
import { openRules } from '../rules/rules-dialog.tsx';
import { ExpectedPlaces } from './expected-places.tsx';

/** The settings of a table: a summary in one line that can be expanded to all settings. */
export function TableInfo({ state }: { state: TableState }): JSX.Element {
  const { settings } = state;
  const [isOpen, setOpen] = useState(false);
  const summary = [text.variants[settings.variant].name, timeControlText(settings), ...unusualSettings(settings)];
  return (
    <div class="facts">
      {state.ownSeats.length > 0 && state.state.closed !== true && <HandoverButton path={`/t/${state.table}`} />}
      <button type="button" class="link-button" data-testid="table-rules" onClick={openRules}>
        {text.table.rules(settings.variant)}
      </button>
      <span data-testid="spectators" data-count={state.spectators}>
        {text.table.spectators(state.spectators)}
      </span>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary data-testid="settings" aria-label={`${text.settings.title}: ${summary.join(', ')}`}>
          <span class="with-emblem">
            <VariantEmblem variant={settings.variant} />
            {summary.join(' · ')}
          </span>
        </summary>
        <dl>
          <div>
            <dt>{text.settings.labels.host}</dt>
            <dd>{nameOf(state.host)}</dd>
          </div>
          {settings.group !== undefined && (
            <div>
              <dt>{text.groups.ofGroup}</dt>
              <dd>
                <a href={`/g/${settings.group}`}>{text.groups.toGroup}</a>
              </dd>
            </div>
          )}
          {allSettings(settings).map(([what, how]) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{how}</dd>
            </div>
          ))}
          {isOpen && settings.rated && state.state.phase !== 'open' && <ExpectedPlaces key={state.match} match={state.match} />}
        </dl>
      </details>
    </div>
  );
}
