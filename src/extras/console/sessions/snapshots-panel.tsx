import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { counted } from "../../../core/errors/counted.ts";
import type { SnapshotEntry } from "../../../core/control/routes/sessions.ts";
import type { Failure } from "../api/failure.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { useConsole } from "../parts/console-context.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Field } from "../parts/field.tsx";
import { useLoad } from "../parts/use-load.ts";

interface SnapshotList {
  readonly snapshots: readonly SnapshotEntry[];
}

/** Snapshots by name: taken of this session, and come back to. */
export function SnapshotsPanel(): VNode {
  const tools = useConsole();
  const list = useLoad(() => tools.client.control<SnapshotList>("/snapshots"), "");
  const [name, setName] = useState("");
  const [refusal, setRefusal] = useState<Failure>();
  const ask = async (
    method: "PUT" | "POST" | "DELETE",
    path: string,
    told: string,
  ): Promise<void> => {
    const answer = await tools.client.control(`/snapshots/${path}`, { method });
    setRefusal(answer.ok ? undefined : answer.error);
    if (!answer.ok) return;
    tools.announce(told);
    list.reload();
    tools.reload();
  };
  return (
    <section class="panel" aria-labelledby="snapshots">
      <h2 id="snapshots">Snapshots</h2>
      <p class="muted">Rows, scripts, counters and chance of a moment. All sessions share them.</p>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          void ask("PUT", encodeURIComponent(name), `The snapshot ${name} was taken.`);
        }}
      >
        <Field label="Name" class="grow">
          <input
            required
            maxLength={200}
            placeholder="before the test"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <button type="submit">Take snapshot</button>
      </form>
      <FailureNotice failure={list.failure ?? refusal} />
      <ul class="lines" aria-label="Snapshots">
        {(list.value?.snapshots ?? []).map((snapshot) => (
          <Line key={snapshot.name} snapshot={snapshot} ask={ask} />
        ))}
      </ul>
    </section>
  );
}

interface LineProps {
  readonly snapshot: SnapshotEntry;
  readonly ask: (method: "POST" | "DELETE", path: string, told: string) => Promise<void>;
}

function Line({ snapshot: { name, at, rows }, ask }: LineProps): VNode {
  const path = encodeURIComponent(name);
  return (
    <li>
      <span class="grow">
        <strong>{name}</strong>{" "}
        <span class="muted">
          {counted(rows, "row")} · {at.slice(0, 19).replace("T", " ")}
        </span>
      </span>
      <ConfirmButton
        label="Restore"
        about={`snapshot ${name}`}
        onConfirm={() => void ask("POST", `${path}/restore`, `Back to the snapshot ${name}.`)}
      />
      <ConfirmButton
        label="Remove"
        about={`snapshot ${name}`}
        onConfirm={() => void ask("DELETE", path, `The snapshot ${name} is gone.`)}
      />
    </li>
  );
}
