import type { ComponentChildren, ComponentProps, VNode } from "preact";

interface FormProps extends ComponentProps<"form"> {
  readonly onSend: () => void;
}

/** A form that the page handles itself and sends nowhere. */
export function Form({ onSend, ...more }: FormProps): VNode {
  return (
    <form
      {...more}
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    />
  );
}

interface ButtonProps extends ComponentProps<"button"> {
  readonly text: ComponentChildren;
}

/** A button, which sends no form unless it is told to. */
export function Button({ text, ...more }: ButtonProps): VNode {
  return (
    <button type="button" {...more}>
      {text}
    </button>
  );
}

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

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
}

/** A line of text. */
export function TextField({ label, onChange, ...more }: TextFieldProps): VNode {
  return (
    <Field label={label} class="grow">
      <input
        spellcheck={false}
        autocomplete="off"
        {...more}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  );
}

interface CodeFieldProps extends Omit<ComponentProps<"textarea">, "onChange"> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** A field for JSON. */
export function CodeField({ label, onChange, ...more }: CodeFieldProps): VNode {
  return (
    <Field label={label}>
      <textarea
        class="code"
        spellcheck={false}
        {...more}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  );
}

interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** Yes or no. */
export function Check({ label, checked, onChange }: CheckProps): VNode {
  return (
    <label class="row">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChange: (value: Value) => void;
  /** Whether the label is only for screen readers. */
  readonly bare?: boolean;
}

/** A choice of one value. */
export function Select<Value extends string>(props: SelectProps<Value>): VNode {
  const { label, value, options, onChange, bare = false } = props;
  const choose = (text: string): void => {
    const chosen = options.find(([option]) => option === text);
    if (chosen !== undefined) onChange(chosen[0]);
  };
  const select = (
    <select
      value={value}
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
