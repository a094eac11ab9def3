import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ResetScope } from "../../../core/control/routes/state.ts";
import type { Failure } from "../api/failure.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { useConsole } from "../parts/console-context.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";

const scopes: readonly (readonly [ResetScope, string])[] = [
  ["tables", "tables"],
  ["chats", "scripts and their counters"],
  ["journal", "requests"],
  ["faults", "faults"],
];

/** Takes the session back to the fixtures, in parts or as a whole. */
export function ResetPanel(): VNode {
  const { client, setup, reload, announce } = useConsole();
  const [chosen, setChosen] = useState<ReadonlySet<ResetScope>>(new Set());
  const [failure, setFailure] = useState<Failure>();
  const reset = async (): Promise<void> => {
    const body = chosen.size === 0 ? {} : { scope: [...chosen] };
    const answer = await client.control("/reset", { method: "POST", body });
    setFailure(answer.ok ? undefined : answer.error);
    if (!answer.ok) return;
    announce("It is as the fixtures have it.");
    reload();
  };
  const toggle = (scope: ResetScope): void => {
    const next = new Set(chosen);
    if (!next.delete(scope)) next.add(scope);
    setChosen(next);
  };
  return (
    <section class="panel" aria-labelledby="reset">
      <h2 id="reset">Reset</h2>
      <p class="muted">Takes {sessionInWords(setup.session)} back to the fixtures.</p>
      <fieldset class="bar">
        <legend class="unseen">What is reset; nothing chosen means everything</legend>
        {scopes.map(([scope, text]) => (
          <label key={scope} class="check">
            <input type="checkbox" checked={chosen.has(scope)} onChange={() => toggle(scope)} />
            {text}
          </label>
        ))}
      </fieldset>
      <FailureNotice failure={failure} />
      <div class="actions">
        <ConfirmButton
          label={chosen.size === 0 ? "Reset everything" : "Reset these"}
          onConfirm={() => void reset()}
        />
      </div>
    </section>
  );
}

/** A session in words. */
export function sessionInWords(session: string | null): string {
  return session === null ? "the base session" : `the session “${session}”`;
}
