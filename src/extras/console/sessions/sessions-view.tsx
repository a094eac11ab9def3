import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { counted } from "../../../core/errors/show.ts";
import { consolePath } from "../api/client.ts";
import { ConfirmButton, Button, Form, TextField } from "../parts/controls.tsx";
import { useConsole, useResource } from "../parts/use-console.ts";
import { FailureNotice, FailureToast, PageHead } from "../parts/display.tsx";
import { localTime } from "../parts/local-time.ts";
import { hashOf, useUrlState } from "../parts/route.ts";

/** The view of the sessions: links to them, and actions on the current one. */
export function SessionsView(): VNode {
  const { setup } = useConsole();
  const [{ find }, change] = useUrlState({ find: "" });
  const { value, failure, reload, refusal, act } = useResource("/sessions");
  const found = (value?.sessions ?? []).filter(({ id }) => id.includes(find)).toReversed();
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
      <FailureToast failure={failure ?? refusal} />
      <div class="two">
        <section class="panel" aria-labelledby="all-sessions">
          <h2 id="all-sessions">All sessions</h2>
          <Form class="row bottom" onSend={() => location.assign(consolePath(find) + "#/sessions")}>
            <TextField
              label="Find or open a session"
              isFind
              required
              maxLength={200}
              placeholder="test-7"
              value={find}
              onChange={(text) => change({ find: text })}
            />
            <Button text="Open" type="submit" />
          </Form>
          <ul class="lines all-sessions" aria-label="Sessions">
            <li>
              <SessionLink />
            </li>
            {found.map(({ id, requests, lastUsedAt }) => (
              <li key={id}>
                <SessionLink id={id} />
                <RequestsBadge id={id} count={requests} />
                <small>{localTime(lastUsedAt)}</small>
                {id !== setup.session && (
                  <ConfirmButton
                    label="Forget"
                    about={`session ${id}`}
                    onConfirm={() => forget(id)}
                  />
                )}
              </li>
            ))}
          </ul>
          <a href={hashOf("requests", undefined, { all: "1" })}>The requests of all sessions</a>
        </section>
        <SnapshotsPanel />
      </div>
    </>
  );
}

/** A link to a session; without an id, to the base session. */
function SessionLink({ id }: { readonly id?: string }): VNode {
  const { setup } = useConsole();
  const isShown = setup.session === (id ?? null);
  return (
    <a href={consolePath(id)} aria-current={isShown ? "true" : undefined}>
      {id ?? "base session"}
    </a>
  );
}

/** The number of a session's requests, as a link to them in this page's list. */
function RequestsBadge({ id, count }: { readonly id: string; readonly count: number }): VNode {
  return (
    <a
      class="badge"
      href={hashOf("requests", undefined, { all: "1", session: id })}
      title={`The requests of ${id}, in this page`}
    >
      {counted(count, "request")}
    </a>
  );
}

/** A panel to take and restore named snapshots of this session. */
function SnapshotsPanel(): VNode {
  const { value, failure, refusal, act } = useResource("/snapshots");
  const [name, setName] = useState("");
  const change = (one: string, done: string, method: "PUT" | "POST" | "DELETE"): void => {
    const path = `/snapshots/${encodeURIComponent(one)}${method === "POST" ? "/restore" : ""}`;
    void act(`Snapshot ${one} ${done}.`, path, { method });
  };
  return (
    <section class="panel" aria-labelledby="snapshots">
      <h2 id="snapshots">Snapshots</h2>
      <p class="muted">
        A snapshot keeps rows, scripts, counters and the random sequence. All sessions share it. It
        stays until the tables of the fixtures change.
      </p>
      <Form class="row bottom" onSend={() => change(name, "taken", "PUT")}>
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
        {(value?.snapshots ?? []).map(({ name: taken, at, rows }) => (
          <li key={taken} class="row">
            <span class="grow">
              <strong>{taken}</strong>{" "}
              <span class="muted">
                {counted(rows, "row")} · {localTime(at)}
              </span>
            </span>
            <ConfirmButton
              label="Restore"
              about={`snapshot ${taken}`}
              onConfirm={() => change(taken, "restored", "POST")}
            />
            <ConfirmButton
              label="Remove"
              about={`snapshot ${taken}`}
              onConfirm={() => change(taken, "removed", "DELETE")}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
