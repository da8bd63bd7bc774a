import type { ComponentChildren, JSX } from 'preact';

/** A group of things to choose one of, shown side by side. */
export function Choice({
  legend,
  columns,
  children,
}: {
  legend: string;
  columns: number;
  children: ComponentChildren;
}): JSX.Element {
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

/** One of the things to choose; the radio button lies hidden under what one sees and presses. */
export function Option({ group, value, checked, onPick, children }: OptionProps): JSX.Element {
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

/** A number within bounds. */
export function NumberField({ label, name, least, most, step, value, onChange }: NumberFieldProps): JSX.Element {
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

interface SelectFieldProps<T extends string> {
  readonly label: string;
  readonly name: string;
  readonly value: T;
  /** The values to choose from, with their words, in order. */
  readonly options: readonly (readonly [T, string])[];
  /** Error about the value, if any. */
  readonly wrong: string | null;
  readonly onChange: (value: T) => void;
}

/** A setting with a few values, in little room. */
export function SelectField<T extends string>(props: SelectFieldProps<T>): JSX.Element {
  const { label, name, value, options, wrong, onChange } = props;
  return (
    <div class="field">
      <label for={`set-${name}`}>{label}</label>
      <select
        id={`set-${name}`}
        class="input"
        name={name}
        data-testid={`set-${name}`}
        value={value}
        aria-invalid={wrong !== null}
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
      <FieldError name={name} wrong={wrong} />
    </div>
  );
}

/** Shows below a field why its value was refused. */
export function FieldError({ name, wrong }: { name: string; wrong: string | null }): JSX.Element {
  return (
    <p id={`wrong-${name}`} class="field-error" role="alert" data-testid={`wrong-${name}`}>
      {wrong}
    </p>
  );
}
