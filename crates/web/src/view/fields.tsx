import type { ComponentChildren, JSX } from 'preact';

/** A group of options side by side, one of which is chosen. */
export function Choice({
  legend,
  columns,
  describedBy,
  children,
}: {
  legend: string;
  columns: number;
  /** The id of a hint about the options. */
  describedBy?: string;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <fieldset class="choice" aria-describedby={describedBy}>
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
  readonly disabled?: boolean;
  readonly onPick: () => void;
  readonly children: ComponentChildren;
}

/** An option of a group. Its radio button is hidden below the visible label. */
export function Option({ group, value, checked, disabled = false, onPick, children }: OptionProps): JSX.Element {
  return (
    <label class="option">
      <input
        type="radio"
        name={group}
        value={value}
        checked={checked}
        disabled={disabled}
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
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** A field for a number within bounds. */
export function NumberField({ label, name, min, max, step, value, onChange }: NumberFieldProps): JSX.Element {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        type="number"
        name={name}
        min={min}
        max={max}
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

interface SelectFieldProps<T extends string> {
  readonly label: string;
  readonly name: string;
  readonly value: T;
  /** The values with their texts, in order. */
  readonly options: readonly (readonly [T, string])[];
  /** The error about the value, if there is one. */
  readonly error: string | null;
  readonly onChange: (value: T) => void;
}

/** A drop-down list for a setting. */
export function SelectField<T extends string>(props: SelectFieldProps<T>): JSX.Element {
  const { label, name, value, options, error, onChange } = props;
  return (
    <div class="field">
      <label for={`set-${name}`}>{label}</label>
      <select
        id={`set-${name}`}
        class="input"
        name={name}
        data-testid={`set-${name}`}
        value={value}
        aria-invalid={error !== null}
        aria-describedby={`wrong-${name}`}
        onChange={(event) => {
          const chosen = options.find(([one]) => one === event.currentTarget.value);
          if (chosen !== undefined) onChange(chosen[0]);
        }}
      >
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
      <FieldError name={name} error={error} />
    </div>
  );
}

/** The error about a field's value, below the field. */
export function FieldError({ name, error }: { name: string; error: string | null }): JSX.Element {
  return (
    <p id={`wrong-${name}`} class="field-error" role="alert" data-testid={`wrong-${name}`}>
      {error}
    </p>
  );
}
