import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Script } from "../../../core/chat/scripts/script.ts";
import type { Failure } from "../api/failure.ts";
import { useConsole } from "../parts/console-context.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { parseTypedJson } from "../parts/json-text.ts";

interface AddScriptProps {
  readonly onAdded: (name: string) => void;
  readonly onCancel: () => void;
}

const example = `{
  "name": "greeting-2",
  "when": { "user": { "regex": "hello (?<who>\\\\w+)", "flags": "i" } },
  "reply": { "content": "Hi, {{ match.who }}." }
}`;

/** A script as JSON, to be tried before all others. */
export function AddScript({ onAdded, onCancel }: AddScriptProps): VNode {
  const { client } = useConsole();
  const [text, setText] = useState(example);
  const [failure, setFailure] = useState<Failure>();
  const input = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const add = async (): Promise<void> => {
    const read = parseTypedJson(text);
    if ("problem" in read) {
      setFailure({ status: 400, message: `This is not JSON: ${read.problem}` });
      return;
    }
    const answer = await client.control<Script>("/chats", { method: "POST", body: read.value });
    if (answer.ok) onAdded(answer.value.name);
    else setFailure(answer.error);
  };
  return (
    <form
      class="panel stack"
      aria-label="Add a script"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <label class="field">
        <span>Script (JSON)</span>
        <textarea
          ref={input}
          class="code"
          rows={7}
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <FailureNotice failure={failure} />
      <div class="actions">
        <button type="submit" class="primary">
          Add before all others
        </button>
        <button type="button" class="quiet" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
