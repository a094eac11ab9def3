import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { counted } from "../../../core/errors/counted.ts";
import type { SnapshotEntry } from "../../../core/control/routes/sessions.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { useConsole } from "../parts/console-context.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Form, TextField } from "../parts/form.tsx";
import { type Actions, useActions } from "../parts/use-actions.ts";
import { useLoad } from "../parts/use-load.ts";

/** Snapshots by name: taken of this session, and come back to. */
export function SnapshotsPanel(): VNode {
  const { client, reload: reloadSetup } = useConsole();
  const { value, failure, reload } = useLoad(
    () => client.control<{ readonly snapshots: readonly SnapshotEntry[] }>("/snapshots"),
    "",
  );
  const [name, setName] = useState("");
  const { refusal, act } = useActions(() => {
    reload();
    reloadSetup();
  });
  const take = (): void => void act(`Snapshot ${name} taken.`, pathOf(name), { method: "PUT" });
  return (
    <section class="panel" aria-labelledby="snapshots">
      <h2 id="snapshots">Snapshots</h2>
      <p class="muted">Rows, scripts, counters and chance of a moment. All sessions share them.</p>
      <Form class="bar" onSend={take}>
        <TextField
          label="Name"
          required
          maxLength={200}
          placeholder="before the test"
          value={name}
          onChange={setName}
        />
        <button type="submit">Take snapshot</button>
      </Form>
      <FailureNotice failure={failure ?? refusal} />
      <ul class="lines" aria-label="Snapshots">
        {(value?.snapshots ?? []).map((snapshot) => (
          <Line key={snapshot.name} snapshot={snapshot} act={act} />
        ))}
      </ul>
    </section>
  );
}

function pathOf(name: string): string {
  return `/snapshots/${encodeURIComponent(name)}`;
}

interface LineProps extends Pick<Actions, "act"> {
  readonly snapshot: SnapshotEntry;
}

function Line({ snapshot: { name, at, rows }, act }: LineProps): VNode {
  const path = pathOf(name);
  const restore = (): void =>
    void act(`Snapshot ${name} restored.`, `${path}/restore`, { method: "POST" });
  const remove = (): void => void act(`Snapshot ${name} removed.`, path, { method: "DELETE" });
  return (
    <li>
      <span class="grow">
        <strong>{name}</strong>{" "}
        <span class="muted">
          {counted(rows, "row")} · {at.slice(0, 19).replace("T", " ")}
        </span>
      </span>
      <ConfirmButton label="Restore" about={`snapshot ${name}`} onConfirm={restore} />
      <ConfirmButton label="Remove" about={`snapshot ${name}`} onConfirm={remove} />
    </li>
  );
}
