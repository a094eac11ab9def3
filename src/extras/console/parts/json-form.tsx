import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Failure } from "../api/failure.ts";
import { FailureNotice } from "./failure-notice.tsx";
import { Button, CodeField, Form } from "./form.tsx";
import { parseTypedJson } from "./json-text.ts";

interface JsonFormProps {
  readonly label: string;
  readonly example: string;
  /** The button's label. */
  readonly send: string;
  readonly failure: Failure | undefined;
  readonly onSend: (value: unknown) => void;
  /** A second button: its label, and what it does. */
  readonly other?: readonly [label: string, onSend: (value: unknown) => void] | undefined;
}

/** A form to add something as JSON. */
export function JsonForm({ label, example, send, failure, onSend, other }: JsonFormProps): VNode {
  const [text, setText] = useState(example);
  const [problem, setProblem] = useState<Failure>();
  const read = (use: (value: unknown) => void): void => {
    const typed = parseTypedJson(text);
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
