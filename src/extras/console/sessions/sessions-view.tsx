import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { counted } from "../../../core/errors/counted.ts";
import type { SessionEntry } from "../../../core/control/routes/sessions.ts";
import { consolePath } from "../api/place.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { useConsole } from "../parts/console-context.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Form, TextField } from "../parts/form.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { useActions } from "../parts/use-actions.ts";
import { useLoad } from "../parts/use-load.ts";
import { SnapshotsPanel } from "./snapshots-panel.tsx";

/** Sessions to go to, and what can be done to the one that this page is about. */
export function SessionsView(): VNode {
  const { client, setup, reload: reloadSetup } = useConsole();
  const { value, failure, reload } = useLoad(
    () => client.control<{ readonly sessions: readonly SessionEntry[] }>("/sessions"),
    "",
  );
  const { refusal, act } = useActions(() => {
    reload();
    reloadSetup();
  });
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
        <button type="button" class="quiet" onClick={reload}>
          Reload
        </button>
      </PageHead>
      <FailureNotice failure={failure ?? refusal} />
      <div class="two even">
        <section class="panel" aria-labelledby="all-sessions">
          <h2 id="all-sessions">All sessions</h2>
          <OpenSession />
          <SessionList sessions={value?.sessions ?? []} current={setup.session} onForget={forget} />
        </section>
        <SnapshotsPanel />
      </div>
    </>
  );
}

function OpenSession(): VNode {
  const [id, setId] = useState("");
  return (
    <Form class="bar" onSend={() => location.assign(consolePath(id) + location.hash)}>
      <TextField
        label="Session"
        required
        maxLength={200}
        placeholder="test-7"
        value={id}
        onChange={setId}
      />
      <button type="submit">Open</button>
    </Form>
  );
}

interface SessionListProps {
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
        <li key={id}>
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
