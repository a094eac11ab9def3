import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { counted } from "../../../core/errors/show.ts";
import type { Script } from "../../../core/chat/scripts/script.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { TextField } from "../parts/form.tsx";
import { JsonForm } from "../parts/json-form.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { useResource } from "../parts/use-actions.ts";
import { useKept } from "../parts/use-kept.ts";

interface ScriptList {
  readonly chats: readonly Script[];
  /** By name, without scripts that answered nothing. */
  readonly matches: Readonly<Record<string, number>>;
}

const example = `{
  "name": "greeting-2",
  "when": { "user": { "regex": "hello (?<who>\\\\w+)", "flags": "i" } },
  "reply": { "content": "Hi, {{ match.who }}." }
}`;

/** The chat scripts in the order in which they are tried. */
export function ScriptsView(): VNode {
  const { value, failure, reload, refusal, act } = useResource<ScriptList>("/chats");
  const [isAdding, setAdding] = useState(false);
  const [part, setPart] = useKept("scripts", "");
  const scripts = value?.chats ?? [];
  const shown = scripts.filter((script) =>
    JSON.stringify(script).toLowerCase().includes(part.toLowerCase()),
  );
  const add = async (body: unknown): Promise<void> => {
    const told = "Script added before all others.";
    if (await act(told, "/chats", { method: "POST", body })) setAdding(false);
  };
  return (
    <>
      <PageHead title="Scripts" note={`${scripts.length}, matched from the top`}>
        <button type="button" onClick={() => setAdding(!isAdding)} aria-expanded={isAdding}>
          Add script
        </button>
        <button type="button" class="quiet" onClick={reload}>
          Reload
        </button>
      </PageHead>
      {isAdding && (
        <JsonForm
          label="Script"
          example={example}
          send="Add before all others"
          failure={refusal}
          onSend={(body) => void add(body)}
        />
      )}
      <FailureNotice failure={failure ?? (isAdding ? undefined : refusal)} />
      {value !== undefined && scripts.length === 0 && <p class="empty">There are no scripts.</p>}
      <div class="row" role="search" aria-label="Filter scripts">
        <TextField
          label="Name, criterion or reply"
          placeholder="part of its JSON"
          value={part}
          onChange={setPart}
        />
      </div>
      <ol class="panel list" aria-label="Scripts">
        {shown.map((script) => (
          <ScriptCard
            key={script.name}
            script={script}
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
  readonly onRemove: () => void;
}

/** A script on one line, and in full when opened. */
function ScriptCard({ script, matches, onRemove }: ScriptCardProps): VNode {
  const { name, when } = script;
  return (
    <li class="script">
      <details>
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
