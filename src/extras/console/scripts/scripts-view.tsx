import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { counted } from "../../../core/errors/show.ts";
import type { Script } from "../../../core/chat/scripts/script.ts";
import { ConfirmButton, Button, TextField, JsonForm } from "../parts/controls.tsx";
import { FailureToast, JsonView, PageHead } from "../parts/display.tsx";
import { useResource, useConsole, useActions } from "../parts/use-console.ts";
import { useUrlState } from "../parts/route.ts";

const example = `{
  "name": "greeting-2",
  "when": { "user": { "regex": "hello (?<who>\\\\w+)", "flags": "i" } },
  "reply": { "content": "Hi, {{ match.who }}." }
}`;

/** The view of the chat scripts, in the order in which they are tried. */
export function ScriptsView({ selected }: { readonly selected: string | undefined }): VNode {
  const { value, failure, reload, refusal, act } = useResource("/chats");
  const [isAdding, setAdding] = useState(false);
  const [{ part }, change] = useUrlState({ part: "" });
  const scripts = value?.chats ?? [];
  const shown = scripts.filter((script) =>
    JSON.stringify(script).toLowerCase().includes(part.toLowerCase()),
  );
  return (
    <>
      <PageHead title="Scripts" note={`${scripts.length}, matched from the top`}>
        <Button text="Add script" onClick={() => setAdding(!isAdding)} aria-expanded={isAdding} />
      </PageHead>
      {isAdding && (
        <ScriptForm
          script={example}
          onDone={() => {
            setAdding(false);
            reload();
          }}
        />
      )}
      <FailureToast failure={failure ?? refusal} />
      {value !== undefined && scripts.length === 0 && (
        <p class="empty">
          There are no scripts. Add one here, or as a file such as chats/greeting.json of the folder
          that the server was started with.
        </p>
      )}
      <div class="row" role="search" aria-label="Filter scripts">
        <TextField
          label="Name, criterion or reply"
          isFind
          placeholder="part of its JSON"
          value={part}
          onChange={(text) => change({ part: text })}
        />
      </div>
      <ol class="panel list" aria-label="Scripts">
        {shown.map((script) => (
          <ScriptCard
            key={script.name}
            script={script}
            isOpen={script.name === selected}
            matches={new Map(Object.entries(value?.matches ?? {})).get(script.name) ?? 0}
            onRemove={() => {
              const path = `/chats/${encodeURIComponent(script.name)}`;
              void act(`Script ${script.name} removed.`, path, { method: "DELETE" });
            }}
          />
        ))}
      </ol>
    </>
  );
}

interface ScriptCardProps {
  readonly script: Script;
  readonly matches: number;
  /** Whether a link leads to this script. */
  readonly isOpen: boolean;
  readonly onRemove: () => void;
}

/** A script on one line, and in full when opened. */
function ScriptCard({ script, matches, isOpen, onRemove }: ScriptCardProps): VNode {
  const { name, when } = script;
  const card = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isOpen) card.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  return (
    <li class="script">
      <details ref={card} open={isOpen}>
        <summary>
          <strong>{name}</strong>
          <code class="grow">{when === undefined ? "any request" : JSON.stringify(when)}</code>
          <span class={matches === 0 ? "badge" : "badge accent"}>{counted(matches, "match")}</span>
        </summary>
        <JsonView label={`The script ${name}`} value={script} />
        <div class="row">
          <ConfirmButton label="Remove" about={`script ${name}`} onConfirm={onRemove} />
        </div>
      </details>
    </li>
  );
}

interface ScriptFormProps {
  /** The initial text of the form. */
  readonly script: string;
  /** Called with a message when the script was added. */
  readonly onDone: (told: string) => void;
}

/** A form for a new script, which is added to the session or written to the fixtures folder. */
export function ScriptForm({ script, onDone }: ScriptFormProps): VNode {
  const { setup } = useConsole();
  const { refusal, act } = useActions(() => undefined);
  const send = async (path: string, body: unknown, told: string): Promise<void> => {
    if (await act(told, path, { method: "POST", body })) onDone(told);
  };
  const { folder } = setup;
  return (
    <>
      {folder !== null && (
        <p class="muted">
          After writing into {folder} the fixtures are loaded again. Requests, rows, sessions and
          snapshots stay, scripts count from 0, and an imported state goes.
        </p>
      )}
      <JsonForm
        label="Script"
        example={script}
        send="Add before all others"
        failure={refusal}
        onSend={(body) => void send("/chats", body, "Script added before all others.")}
        other={
          folder === null
            ? undefined
            : [
                `Write into ${folder}`,
                (body) =>
                  void send("/fixtures/chats", body, `Script written into ${folder}/chats.`),
              ]
        }
      />
    </>
  );
}
