import type { ComponentChildren, ComponentProps, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useConsole } from "./use-console.ts";
import { parseJsonText } from "../../../core/schema/json.ts";
import type { Failure } from "../api/client.ts";
import { FailureNotice } from "./display.tsx";

interface FormProps extends ComponentProps<"form"> {
  readonly onSend: () => void;
}

/** A form that the page handles itself, without sending it anywhere. */
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

/** A button. It submits its form only if its `type` says so. */
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
  /** Whether the field searches the view, so that the key `/` leads to it. */
  readonly isFind?: boolean;
}

/** A field for one line of text. */
export function TextField({ label, onChange, isFind, ...more }: TextFieldProps): VNode {
  return (
    <Field label={label} class="grow">
      <input
        spellcheck={false}
        autocomplete="off"
        data-find={isFind}
        {...more}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  );
}

interface CodeFieldProps extends Omit<ComponentProps<"textarea">, "onChange"> {
  readonly label: string;
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
  readonly class?: string;
}

/** A checkbox with a label. */
export function Check({ label, checked, onChange, class: name = "" }: CheckProps): VNode {
  return (
    <label class={`row ${name}`}>
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

/** A field to choose one of several values. */
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

interface ConfirmButtonProps {
  readonly label: string;
  /** What the button acts on, for screen readers. */
  readonly about?: string;
  readonly onConfirm: () => void;
  readonly isDisabled?: boolean;
  readonly tabIndex?: number;
}

const graceMs = 4000;

/** A button that must be pressed twice. */
export function ConfirmButton(props: ConfirmButtonProps): VNode {
  const { label, about = "", onConfirm, isDisabled = false, tabIndex = 0 } = props;
  const [asks, setAsks] = useState(false);
  useEffect(() => {
    if (!asks) return undefined;
    const timer = setTimeout(() => setAsks(false), graceMs);
    return () => clearTimeout(timer);
  }, [asks]);
  const press = (): void => {
    setAsks(!asks);
    if (asks) onConfirm();
  };
  const shown = asks ? "Really?" : label;
  return (
    <Button
      text={shown}
      tabIndex={tabIndex}
      disabled={isDisabled}
      class={asks ? "danger asking" : "danger"}
      aria-label={`${shown} ${about}`.trim()}
      onClick={press}
      onBlur={() => setAsks(false)}
    />
  );
}

interface CopyButtonProps {
  readonly label: string;
  /** The text to copy, computed on demand. */
  readonly text: () => string | Promise<string>;
}

/** Copies a text to the clipboard, and confirms it. */
export function CopyButton({ label, text }: CopyButtonProps): VNode {
  const { announce } = useConsole();
  const [shown, setShown] = useState(label);
  const say = (told: string): void => {
    setShown(told);
    announce(told);
    setTimeout(() => setShown(label), 1500);
  };
  const copy = async (): Promise<void> => {
    try {
      // Pages from another machine have no clipboard over plain HTTP.
      await navigator.clipboard.writeText(await text());
      say("Copied");
    } catch {
      say("Not copied");
    }
  };
  return <Button text={shown} class="quiet" onClick={() => void copy()} />;
}

interface JsonFormProps {
  readonly label: string;
  readonly example: string;
  /** The label of the button that sends. */
  readonly send: string;
  readonly failure: Failure | undefined;
  readonly onSend: (value: unknown) => void;
  /** A second button: its label, and the function that it calls. */
  readonly other?: readonly [label: string, onSend: (value: unknown) => void] | undefined;
}

/** A form to add an object that is typed as JSON. */
export function JsonForm({ label, example, send, failure, onSend, other }: JsonFormProps): VNode {
  const [text, setText] = useState(example);
  const [problem, setProblem] = useState<Failure>();
  const read = (use: (value: unknown) => void): void => {
    const typed = parseJsonText(text);
    if (typed.ok) use(typed.value);
    setProblem(typed.ok ? undefined : { status: 400, message: `This is not JSON: ${typed.error}` });
  };
  return (
    <Form class="panel" aria-label={send} onSend={() => read(onSend)}>
      <CodeField
        label={`${label} (JSON)`}
        rows={Math.min(20, Math.max(7, example.split("\n").length))}
        value={text}
        onChange={setText}
      />
      <FailureNotice failure={problem ?? failure} />
      <div class="row">
        <Button text={send} type="submit" class="primary" />
        {other !== undefined && <Button text={other[0]} onClick={() => read(other[1])} />}
      </div>
    </Form>
  );
}
