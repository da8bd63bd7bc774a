import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { text } from '../../text/index.ts';
import type { Absence } from '../../protocol/generated.ts';
import { FieldError, SelectField } from '../fields.tsx';
import { withRated, type TableChoices } from './table-choices.ts';
import { faultOf, type Wrong } from './wrong-field.ts';

/** Limits for a move without clocks, minutes; 0 is no limit. */
const LIMITS_MINUTES: readonly number[] = [1, 2, 5, 15, 60, 24 * 60];

interface MoreSettingsProps {
  readonly choices: TableChoices;
  readonly wrong: Wrong | null;
  readonly onChange: (choices: TableChoices) => void;
}

/** The settings that are rarely changed, folded away until they are looked for or one of them was refused. */
export function MoreSettings({ choices, wrong, onChange }: MoreSettingsProps): JSX.Element {
  const folded = useRef<HTMLDetailsElement>(null);
  const field = wrong?.field ?? null;
  useEffect(() => {
    if (field !== null && folded.current !== null) folded.current.open = true;
  }, [field]);
  const set = (change: Partial<TableChoices>): void => onChange({ ...choices, ...change });
  const open = choices.privacy === 'public';
  const words = text.settings;
  const limits = (open ? LIMITS_MINUTES : [0, ...LIMITS_MINUTES]).map(
    (minutes) => [String(minutes), words.limit(minutes * 60_000)] as const,
  );

  return (
    <details class="more" ref={folded}>
      <summary data-testid="more-settings">{text.create.more}</summary>
      <div class="more-fields">
        <SelectField
          label={words.labels.rated}
          name="rated"
          value={choices.rated ? 'rated' : 'casual'}
          options={worded(['casual', 'rated'], words)}
          error={faultOf(wrong, 'rated')}
          onChange={(value) => onChange(withRated(choices, value === 'rated'))}
        />
        <SelectField
          label={words.labels.seating}
          name="seating"
          value={choices.seating}
          options={worded(['chosen', 'drawn'], words.seating)}
          error={faultOf(wrong, 'seating')}
          onChange={(seating) => set({ seating })}
        />
        {choices.clock === 'none' && (
          <SelectField
            label={words.labels.limit}
            name="limit"
            value={String(choices.limit_minutes)}
            options={limits}
            error={faultOf(wrong, 'limit')}
            onChange={(minutes) => set({ limit_minutes: Number(minutes) })}
          />
        )}
        <SelectField
          label={words.labels.absence}
          name="absence"
          value={choices.absence}
          options={worded(absences(choices), words.absence)}
          error={faultOf(wrong, 'absence')}
          onChange={(absence) => set({ absence })}
        />
        <SelectField
          label={words.labels.draws}
          name="draws"
          value={choices.draws}
          options={worded(['claim', 'automatic'], words.draws)}
          error={faultOf(wrong, 'draws')}
          onChange={(draws) => set({ draws })}
        />
        <SelectField
          label={words.labels.chat}
          name="chat"
          value={choices.chat}
          options={worded(['on', 'phrases', 'off'], words.chat)}
          error={faultOf(wrong, 'chat')}
          onChange={(chat) => set({ chat })}
        />
        <SelectField
          label={words.labels.watchers}
          name="watchers"
          value={choices.watchers}
          options={worded(open ? ['everybody', 'link', 'nobody'] : ['link', 'nobody'], words.watchers)}
          error={faultOf(wrong, 'watchers')}
          onChange={(watchers) => set({ watchers })}
        />
        {!open && !choices.rated && (
          <SelectField
            label={words.labels.hotseat}
            name="hotseat"
            value={choices.hotseat ? 'yes' : 'no'}
            options={worded(['no', 'yes'], words.hotseat)}
            error={faultOf(wrong, 'hotseat')}
            onChange={(value) => set({ hotseat: value === 'yes' })}
          />
        )}
        {open && (
          <SelectField
            label={words.labels.admission}
            name="admission"
            value={choices.admission}
            options={worded(['open', 'invite'], words.admission)}
            error={faultOf(wrong, 'admission')}
            onChange={(admission) => set({ admission })}
          />
        )}
      </div>
      <div class="field">
        <label for="set-setup">{text.create.setup}</label>
        <textarea
          id="set-setup"
          class="input"
          name="setup"
          data-testid="setup"
          rows={3}
          spellcheck={false}
          placeholder={text.create.setupHint}
          value={choices.setup}
          aria-invalid={faultOf(wrong, 'setup') !== null}
          aria-describedby="wrong-setup"
          onInput={(event) => set({ setup: event.currentTarget.value })}
        />
        <FieldError name="setup" error={faultOf(wrong, 'setup')} />
      </div>
    </details>
  );
}

/** Returns the possible absence policies: at a rated table an absent player is eliminated. */
function absences({ privacy, rated }: TableChoices): readonly Absence[] {
  if (rated) return ['eliminate'];
  return privacy === 'public' ? ['eliminate', 'bot'] : ['wait', 'eliminate', 'bot'];
}

/** Values with their words. */
function worded<const V extends readonly string[]>(
  values: V,
  words: Readonly<Record<V[number], string>>,
): (readonly [V[number], string])[] {
  return values.map((value: V[number]) => [value, words[value]]);
}
