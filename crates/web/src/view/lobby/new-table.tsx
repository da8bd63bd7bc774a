import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Variant } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { goTo } from '../router.ts';
import { Emblem } from './emblem.tsx';
import { EMPTY_SEATS, requestOf, USUAL, withVariant, type TableChoices } from './table-choices.ts';

const VARIANTS: readonly Variant[] = ['dilkel', 'dilkel-compact', 'classic'];

/** The dialog that makes a table and goes to it. */
export function NewTable({ onClose }: { onClose: () => void }): JSX.Element {
  const client = useClient();
  const [choices, setChoices] = useState<TableChoices>(USUAL);
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const set = (change: Partial<TableChoices>): void => setChoices({ ...choices, ...change });

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setWrong(null);
    try {
      const { table } = await client.api.createTable(requestOf(choices));
      goTo(`/t/${table}`);
    } catch (error) {
      setWrong(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };

  return (
    <Dialog title={text.create.title} onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <Choice legend={text.create.variant} columns={3}>
          {VARIANTS.map((variant) => (
            <Option
              key={variant}
              group="variant"
              value={variant}
              checked={choices.variant === variant}
              onPick={() => setChoices(withVariant(choices, variant))}
            >
              <Emblem seats={EMPTY_SEATS[variant]} />
              <span>{text.variants[variant].name}</span>
              <small>{text.variants[variant].blurb}</small>
            </Option>
          ))}
        </Choice>
        <Choice legend={text.create.seat} columns={EMPTY_SEATS[choices.variant].length + 1}>
          {EMPTY_SEATS[choices.variant].map(({ color }) => (
            <Option key={color} group="seat" value={color} checked={choices.seat === color} onPick={() => set({ seat: color })}>
              <span class="swatch" data-color={color} />
              <span>{text.colors[color]}</span>
            </Option>
          ))}
          <Option group="seat" value="none" checked={choices.seat === null} onPick={() => set({ seat: null })}>
            <span class="swatch" />
            <span>{text.create.noSeat}</span>
          </Option>
        </Choice>
        <Choice legend={text.create.privacy} columns={2}>
          <Option
            group="privacy"
            value="public"
            checked={choices.privacy === 'public'}
            onPick={() => set({ privacy: 'public' })}
          >
            <span>{text.create.public}</span>
            <small>{text.create.publicHint}</small>
          </Option>
          <Option
            group="privacy"
            value="private"
            checked={choices.privacy === 'private'}
            onPick={() => set({ privacy: 'private' })}
          >
            <span>{text.create.private}</span>
            <small>{text.create.privateHint}</small>
          </Option>
        </Choice>
        <Choice legend={text.create.time} columns={3}>
          {(['none', 'fischer', 'delay'] as const).map((kind) => (
            <Option key={kind} group="time" value={kind} checked={choices.clock === kind} onPick={() => set({ clock: kind })}>
              <span>{text.create[kind]}</span>
            </Option>
          ))}
        </Choice>
        {choices.clock !== 'none' && (
          <div class="fields">
            <NumberField
              label={text.create.base}
              name="base"
              least={0.5}
              step={0.5}
              most={180}
              value={choices.base_minutes}
              onChange={(base_minutes) => set({ base_minutes })}
            />
            <NumberField
              label={choices.clock === 'fischer' ? text.create.increment : text.create.delaySeconds}
              name="extra"
              least={0}
              step={1}
              most={180}
              value={choices.extra_seconds}
              onChange={(extra_seconds) => set({ extra_seconds })}
            />
          </div>
        )}
        <details class="more">
          <summary>{text.create.more}</summary>
          <Choice legend={text.create.draws} columns={2}>
            {(['claim', 'automatic'] as const).map((draws) => (
              <Option key={draws} group="draws" value={draws} checked={choices.draws === draws} onPick={() => set({ draws })}>
                <span>{text.create[draws]}</span>
              </Option>
            ))}
          </Choice>
          <label class="field">
            <span>{text.create.setup}</span>
            <textarea
              class="input"
              name="setup"
              data-testid="setup"
              rows={3}
              spellcheck={false}
              placeholder={text.create.setupHint}
              value={choices.setup}
              onInput={(event) => set({ setup: event.currentTarget.value })}
            />
          </label>
        </details>
        <p class="wrong" role="alert">
          {wrong}
        </p>
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {text.cancel}
          </button>
          <button type="submit" class="button primary" data-testid="create" disabled={busy}>
            {text.create.create}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Choice({ legend, columns, children }: { legend: string; columns: number; children: ComponentChildren }): JSX.Element {
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      <div class="options" style={{ '--options': columns }}>
        {children}
      </div>
    </fieldset>
  );
}

interface OptionProps {
  readonly group: string;
  readonly value: string;
  readonly checked: boolean;
  readonly onPick: () => void;
  readonly children: ComponentChildren;
}

function Option({ group, value, checked, onPick, children }: OptionProps): JSX.Element {
  return (
    <label class="option">
      <input
        type="radio"
        name={group}
        value={value}
        checked={checked}
        data-testid={`choose-${group}-${value}`}
        onChange={onPick}
      />
      <span class="option-face">{children}</span>
    </label>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function NumberField({ label, name, least, most, step, value, onChange }: NumberFieldProps): JSX.Element {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        type="number"
        name={name}
        min={least}
        max={most}
        step={step}
        required
        value={value}
        onInput={(event) => {
          if (!Number.isNaN(event.currentTarget.valueAsNumber)) onChange(event.currentTarget.valueAsNumber);
        }}
      />
    </label>
  );
}
