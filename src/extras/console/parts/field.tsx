import type { ComponentChildren, VNode } from "preact";

interface FieldProps {
  readonly label: string;
  readonly children: ComponentChildren;
  readonly class?: string;
}

/** A control with its label above it. */
export function Field({ label, children, class: name = "" }: FieldProps): VNode {
  return (
    <label class={`field ${name}`}>
      <span>{label}</span>
      {children}
    </label>
  );
}

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChange: (value: Value) => void;
  /** Whether only those who do not see it are told its label. */
  readonly bare?: boolean;
  readonly disabled?: boolean;
}

/** A choice of one. */
export function Select<Value extends string>(props: SelectProps<Value>): VNode {
  const { label, value, options, onChange, bare = false, disabled = false } = props;
  const choose = (text: string): void => {
    const chosen = options.find(([option]) => option === text);
    if (chosen !== undefined) onChange(chosen[0]);
  };
  const select = (
    <select
      value={value}
      disabled={disabled}
      aria-label={bare ? label : undefined}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option} selected={option === value}>
          {text}
        </option>
      ))}
    </select>
  );
  return bare ? select : <Field label={label}>{select}</Field>;
}
