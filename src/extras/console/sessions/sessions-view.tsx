import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { SessionEntry } from "../../../core/control/routes/sessions.ts";
import type { Failure } from "../api/failure.ts";
import { consolePath } from "../api/place.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { useConsole } from "../parts/console-context.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Field } from "../parts/field.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { useLoad } from "../parts/use-load.ts";
import { sessionInWords, ResetPanel } from "./reset-panel.tsx";
import { SnapshotsPanel } from "./snapshots-panel.tsx";

interface SessionList {
  readonly sessions: readonly SessionEntry[];
}

/** Sessions to go to, and what can be done to the one that this page is about. */
export function SessionsView(): VNode {
  const { client, setup, announce } = useConsole();
  const { value, failure, reload } = useLoad(() => client.control<SessionList>("/sessions"), "");
  const [refusal, setRefusal] = useState<Failure>();
  const forget = async (id: string): Promise<void> => {
    const path = `/sessions/${encodeURIComponent(id)}`;
    const answer = await client.control(path, { method: "DELETE" });
    setRefusal(answer.ok ? undefined : answer.error);
    if (answer.ok) announce(`The session ${id} is forgotten.`);
    reload();
  };
  return (
    <>
      <PageHead title="Sessions" note={`this page is about ${sessionInWords(setup.session)}`}>
        <button type="button" class="quiet" onClick={reload}>
          Reload
        </button>
      </PageHead>
      <FailureNotice failure={failure ?? refusal} />
      <div class="two even">
        <section class="panel" aria-labelledby="all-sessions">
          <h2 id="all-sessions">All sessions</h2>
          <OpenSession />
          <SessionTable
            sessions={value?.sessions ?? []}
            current={setup.session}
            onForget={(id) => void forget(id)}
          />
        </section>
        <div class="stack">
          <ResetPanel />
          <SnapshotsPanel />
        </div>
      </div>
    </>
  );
}

function OpenSession(): VNode {
  const [id, setId] = useState("");
  return (
    <form
      class="bar"
      onSubmit={(event) => {
        event.preventDefault();
        location.assign(consolePath(id) + location.hash);
      }}
    >
      <Field label="Session" class="grow">
        <input
          required
          maxLength={200}
          placeholder="test-7"
          spellcheck={false}
          autocomplete="off"
          value={id}
          onInput={(event) => setId(event.currentTarget.value)}
        />
      </Field>
      <button type="submit">Open</button>
    </form>
  );
}

interface SessionTableProps {
  readonly sessions: readonly SessionEntry[];
  readonly current: string | null;
  readonly onForget: (id: string) => void;
}

function SessionTable({ sessions, current, onForget }: SessionTableProps): VNode {
  return (
    <div class="grid-scroll">
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">id</th>
            <th scope="col">requests</th>
            <th scope="col">last used</th>
            <th class="tools">
              <span class="unseen">Forget</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>
              <a href={consolePath()} aria-current={current === null ? "true" : undefined}>
                base session
              </a>
            </td>
            <td />
            <td />
            <td />
          </tr>
          {sessions.map(({ id, requests, lastUsedAt }) => (
            <tr key={id}>
              <td>
                <a href={consolePath(id)} aria-current={current === id ? "true" : undefined}>
                  {id}
                </a>
              </td>
              <td class="number">{requests}</td>
              <td>
                <time dateTime={lastUsedAt} title={lastUsedAt}>
                  {lastUsedAt.slice(0, 19).replace("T", " ")}
                </time>
              </td>
              <td class="tools">
                {id !== current && (
                  <ConfirmButton
                    label="Forget"
                    about={`session ${id}`}
                    onConfirm={() => onForget(id)}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
