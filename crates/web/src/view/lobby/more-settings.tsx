import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { text } from '../../text/index.ts';
import type { Absence } from '../../protocol/generated.ts';
import { FieldError, SelectField } from '../fields.tsx';
import { mayHideNames, type TableChoices } from './table-choices.ts';
import { messageFor, type FieldProblem } from './field-problem.ts';

/** The offered time limits for a move in a match without clocks, in minutes; 0 means no limit. */
const LIMITS_MINUTES: readonly number[] = [1, 2, 5, 15, 60, 24 * 60];

interface MoreSettingsProps {
  readonly choices: TableChoices;
  readonly error: FieldProblem | null;
  readonly onChange: (change: Partial<TableChoices>) => void;
}

/**
 * The rarely changed settings. They are collapsed until the user opens them or the server refuses
 * one of them.
 */
export function MoreSettings({ choices, error, onChange: set }: MoreSettingsProps): JSX.Element {
  const details = useRef<HTMLDetailsElement>(null);
  const field = error?.field ?? null;
  useEffect(() => {
    if (field !== null && details.current !== null) details.current.open = true;
  }, [field]);
  const isPublic = choices.privacy === 'public';
  const words = text.settings;
  const limits = (isPublic ? LIMITS_MINUTES : [0, ...LIMITS_MINUTES]).map(
    (minutes) => [String(minutes), words.limit(minutes * 60_000)] as const,
  );

  return (
    <details class="more-settings" ref={details}>
      <summary data-testid="more-settings">{text.newTableDialog.more}</summary>
      <div class="more-fields">
        <SelectField
          label={words.labels.seating}
          name="seating"
          value={choices.seating}
          options={withLabels(['chosen', 'drawn'], words.seating)}
          error={messageFor(error, 'seating')}
          onChange={(seating) => set({ seating })}
        />
        {choices.clock === 'none' && (
          <SelectField
            label={words.labels.limit}
            name="limit"
            value={String(choices.limit_minutes)}
            options={limits}
            error={messageFor(error, 'limit')}
            onChange={(minutes) => set({ limit_minutes: Number(minutes) })}
          />
        )}
        <SelectField
          label={words.labels.absence}
          name="absence"
          value={choices.absence}
          options={withLabels(absencePolicies(choices), words.absence)}
          error={messageFor(error, 'absence')}
          onChange={(absence) => set({ absence })}
        />
        <SelectField
          label={words.labels.draws}
          name="draws"
          value={choices.draws}
          options={withLabels(['claim', 'automatic'], words.draws)}
          error={messageFor(error, 'draws')}
          onChange={(draws) => set({ draws })}
        />
        <SelectField
          label={words.labels.chat}
          name="chat"
          value={choices.chat}
          options={withLabels(['on', 'phrases', 'off'], words.chat)}
          error={messageFor(error, 'chat')}
          onChange={(chat) => set({ chat })}
        />
        <SelectField
          label={words.labels.watchers}
          name="watchers"
          value={choices.watchers}
          options={withLabels(isPublic ? ['everybody', 'link', 'nobody'] : ['link', 'nobody'], words.watchers)}
          error={messageFor(error, 'watchers')}
          onChange={(watchers) => set({ watchers })}
        />
        {mayHideNames(choices.variant) && (
          <SelectField
            label={text.anonymous.label}
            name="anonymous"
            value={choices.anonymous ? 'yes' : 'no'}
            options={withLabels(['no', 'yes'], text.anonymous.choices)}
            error={messageFor(error, 'anonymous')}
            onChange={(value) => set({ anonymous: value === 'yes' })}
          />
        )}
        {!isPublic && (
          <SelectField
            label={words.labels.hotseat}
            name="hotseat"
            value={choices.hotseat ? 'yes' : 'no'}
            options={withLabels(['no', 'yes'], words.hotseat)}
            error={messageFor(error, 'hotseat')}
            onChange={(value) => set({ hotseat: value === 'yes' })}
          />
        )}
        {isPublic && (
          <SelectField
            label={words.labels.admission}
            name="admission"
            value={choices.admission}
            options={withLabels(['open', 'invite'], words.admission)}
            error={messageFor(error, 'admission')}
            onChange={(admission) => set({ admission })}
          />
        )}
      </div>
      <div class="field">
        <label for="set-setup">{text.newTableDialog.setup}</label>
        <textarea
          id="set-setup"
          class="input"
          name="setup"
          data-testid="setup"
          rows={3}
          spellcheck={false}
          placeholder={text.newTableDialog.setupHint}
          value={choices.setup}
          aria-invalid={messageFor(error, 'setup') !== null}
          aria-describedby="wrong-setup"
          onInput={(event) => set({ setup: event.currentTarget.value })}
        />
        <FieldError name="setup" error={messageFor(error, 'setup')} />
      </div>
    </details>
  );
}

/** Returns the possible absence policies. */
function absencePolicies({ privacy, rated }: TableChoices): readonly Absence[] {
  if (rated) return ['eliminate'];
  return privacy === 'public' ? ['eliminate', 'bot'] : ['wait', 'eliminate', 'bot'];
}

/** Returns values with their labels. */
function withLabels<const V extends readonly string[]>(
  values: V,
  words: Readonly<Record<V[number], string>>,
): (readonly [V[number], string])[] {
  return values.map((value: V[number]) => [value, words[value]]);
}
