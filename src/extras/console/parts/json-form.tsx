import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Failure } from "../api/failure.ts";
import { FailureNotice } from "./failure-notice.tsx";
import { CodeField, Form } from "./form.tsx";
import { parseTypedJson } from "./json-text.ts";

interface JsonFormProps {
  readonly label: string;
  readonly example: string;
  /** The button's label. */
  readonly send: string;
  readonly failure: Failure | undefined;
  readonly onSend: (value: unknown) => void;
}

/** A form to add something as JSON. */
export function JsonForm({ label, example, send, failure, onSend }: JsonFormProps): VNode {
  const [text, setText] = useState(example);
  const [problem, setProblem] = useState<Failure>();
  const read = (): void => {
    const typed = parseTypedJson(text);
    if (typed.ok) onSend(typed.value);
    setProblem(typed.ok ? undefined : { status: 400, message: `This is not JSON: ${typed.error}` });
  };
  return (
    <Form class="panel" aria-label={send} onSend={read}>
      <CodeField label={`${label} (JSON)`} rows={7} value={text} onChange={setText} />
      <FailureNotice failure={problem ?? failure} />
      <div class="row">
        <button type="submit" class="primary">
          {send}
        </button>
      </div>
    </Form>
  );
}
