import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { counted } from "../../../core/errors/show.ts";
import type { SessionEntry, SnapshotEntry } from "../../../core/control/routes/sessions.ts";
import { consolePath } from "../api/client.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { useConsole } from "../parts/console-context.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Button, Form, TextField } from "../parts/form.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { hashOf, useUrlState } from "../parts/route.ts";
import { type Actions, useResource } from "../parts/use-load.ts";

/** Links to sessions, and actions on the current one. */
export function SessionsView(): VNode {
  const { setup } = useConsole();
  const [{ find }, change] = useUrlState({ find: "" });
  const { value, failure, reload, refusal, act } = useResource("/sessions");
  const name = setup.session === null ? "the base session" : `the session “${setup.session}”`;
  const reset = (): void =>
    void act("Reset to the fixtures.", "/reset", { method: "POST", body: {} });
  const forget = (id: string): void => {
    const path = `/sessions/${encodeURIComponent(id)}`;
    void act(`Session ${id} removed.`, path, { method: "DELETE" });
  };
  return (
    <>
      <PageHead title="Sessions" note={`this page shows ${name}`}>
        <ConfirmButton label="Reset everything" about={`in ${name}`} onConfirm={reset} />
        <Button text="Reload" class="quiet" onClick={reload} />
      </PageHead>
      <FailureNotice failure={failure ?? refusal} />
      <div class="two">
        <section class="panel" aria-labelledby="all-sessions">
          <h2 id="all-sessions">All sessions</h2>
          <Form class="row bottom" onSend={() => location.assign(consolePath(find) + "#/sessions")}>
            <TextField
              label="Find or open a session"
              required
              maxLength={200}
              placeholder="test-7"
              value={find}
              onChange={(text) => change({ find: text })}
            />
            <Button text="Open" type="submit" />
          </Form>
          <SessionList
            sessions={(value?.sessions ?? []).filter(({ id }) => id.includes(find)).toReversed()}
            current={setup.session}
            onForget={forget}
          />
          <a href={hashOf("requests", undefined, { all: "1" })}>The requests of all sessions</a>
        </section>
        <SnapshotsPanel />
      </div>
    </>
  );
}

interface SessionListProps {
  /** The last used first. */
  readonly sessions: readonly SessionEntry[];
  readonly current: string | null;
  readonly onForget: (id: string) => void;
}

function SessionList({ sessions, current, onForget }: SessionListProps): VNode {
  return (
    <ul class="lines" aria-label="Sessions">
      <li>
        <a href={consolePath()} aria-current={current === null ? "true" : undefined}>
          base session
        </a>
      </li>
      {sessions.map(({ id, requests, lastUsedAt }) => (
        <li key={id} class="row">
          <a href={consolePath(id)} aria-current={current === id ? "true" : undefined}>
            {id}
          </a>
          <span class="muted grow">
            {counted(requests, "request")} · {lastUsedAt.slice(0, 19).replace("T", " ")}
          </span>
          {id !== current && (
            <ConfirmButton label="Forget" about={`session ${id}`} onConfirm={() => onForget(id)} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Named snapshots of this session: take and restore them. */
function SnapshotsPanel(): VNode {
  const { value, failure, refusal, act } = useResource("/snapshots");
  const [name, setName] = useState("");
  const take = (): void => void act(`Snapshot ${name} taken.`, pathOf(name), { method: "PUT" });
  return (
    <section class="panel" aria-labelledby="snapshots">
      <h2 id="snapshots">Snapshots</h2>
      <p class="muted">
        A snapshot keeps rows, scripts, counters and the random sequence. All sessions share it.
      </p>
      <Form class="row bottom" onSend={take}>
        <TextField
          label="Name"
          required
          maxLength={200}
          placeholder="before the test"
          value={name}
          onChange={setName}
        />
        <Button text="Take snapshot" type="submit" />
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
    <li class="row">
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
