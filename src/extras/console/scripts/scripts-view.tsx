import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Script } from "../../../core/chat/scripts/script.ts";
import type { Failure } from "../api/failure.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { useConsole } from "../parts/console-context.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Field } from "../parts/field.tsx";
import { jsonText } from "../parts/json-text.ts";
import { JsonView } from "../parts/json-view.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { useKept } from "../parts/use-kept.ts";
import { useLoad } from "../parts/use-load.ts";
import { AddScript } from "./add-script.tsx";

interface ScriptList {
  readonly chats: readonly Script[];
  /** By name; those that answered nothing are left out. */
  readonly matches: Readonly<Record<string, number>>;
}

/** The chat scripts in the order in which they are tried. */
export function ScriptsView(): VNode {
  const { client, announce } = useConsole();
  const { value, failure, reload } = useLoad(() => client.control<ScriptList>("/chats"), "");
  const [refusal, setRefusal] = useState<Failure>();
  const [isAdding, setAdding] = useState(false);
  const [part, setPart] = useKept("scripts", "");
  const scripts = value?.chats ?? [];
  const shown = scripts.filter((script) =>
    jsonText(script).toLowerCase().includes(part.toLowerCase()),
  );
  const remove = async (name: string): Promise<void> => {
    const path = `/chats/${encodeURIComponent(name)}`;
    const answer = await client.control(path, { method: "DELETE" });
    setRefusal(answer.ok ? undefined : answer.error);
    if (answer.ok) announce(`The script ${name} is gone.`);
    reload();
  };
  const added = (name: string): void => {
    setAdding(false);
    announce(`The script ${name} was added before all others.`);
    reload();
  };
  return (
    <>
      <PageHead title="Scripts" note={`${scripts.length}, tried from the top`}>
        <button type="button" onClick={() => setAdding(!isAdding)} aria-expanded={isAdding}>
          Add script
        </button>
        <button type="button" class="quiet" onClick={reload}>
          Reload
        </button>
      </PageHead>
      {isAdding && <AddScript onAdded={added} onCancel={() => setAdding(false)} />}
      <FailureNotice failure={failure ?? refusal} />
      {value !== undefined && scripts.length === 0 && <p class="empty">There are no scripts.</p>}
      <div class="bar" role="search" aria-label="Filter scripts">
        <Field label="Name, criterion or reply" class="grow">
          <input
            type="search"
            placeholder="part of its JSON"
            value={part}
            onInput={(event) => setPart(event.currentTarget.value)}
          />
        </Field>
      </div>
      <ol class="panel list" aria-label="Scripts">
        {shown.map((script) => (
          <ScriptCard
            key={script.name}
            script={script}
            matches={matchesOf(value, script.name)}
            onRemove={() => void remove(script.name)}
          />
        ))}
      </ol>
    </>
  );
}

function matchesOf(list: ScriptList | undefined, name: string): number {
  return list !== undefined && Object.hasOwn(list.matches, name) ? (list.matches[name] ?? 0) : 0;
}

interface ScriptCardProps {
  readonly script: Script;
  readonly matches: number;
  readonly onRemove: () => void;
}

/** A script in one line, and all of it when it is opened. */
function ScriptCard({ script, matches, onRemove }: ScriptCardProps): VNode {
  const { name, when, replies, ...others } = script;
  const only = replies.length === 1 ? replies[0] : undefined;
  return (
    <li class="script">
      <details>
        <summary>
          <strong>{name}</strong>
          <code class="muted">{when === undefined ? "any request" : jsonText(when)}</code>
          <span class={matches === 0 ? "badge" : "badge hit"}>
            {matches === 1 ? "1 match" : `${matches} matches`}
          </span>
        </summary>
        <div class="when-reply">
          <div>
            <h3>when</h3>
            <JsonView label={`When ${name} answers`} value={when ?? "any request"} />
            {Object.keys(others).length > 0 && (
              <JsonView label={`More of ${name}`} value={others} />
            )}
          </div>
          <div>
            <h3>{only === undefined ? `${replies.length} replies` : "reply"}</h3>
            <JsonView label={`What ${name} answers`} value={only ?? replies} />
          </div>
        </div>
        <div class="actions">
          <ConfirmButton label="Remove" about={`script ${name}`} onConfirm={onRemove} />
        </div>
      </details>
    </li>
  );
}
