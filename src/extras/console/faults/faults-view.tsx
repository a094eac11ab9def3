import type { FaultRule } from "../../../core/fixture-set/format/fault-format.ts";
import type { VNode } from "preact";
import { ConfirmButton, Button, JsonForm } from "../parts/controls.tsx";
import { FailureNotice, JsonView, PageHead } from "../parts/display.tsx";
import { useResource } from "../parts/use-console.ts";

/** Faults that are often needed. */
export const presets: readonly (readonly [title: string, rule: FaultRule])[] = [
  ["slow network", { delayMs: { min: 500, max: 2000 } }],
  ["429, then fine", { status: 429, retryAfterMs: 1000, times: 1 }],
  ["cut after 5 chunks", { interface: "chat", fault: "cut", afterChunks: 5, times: 1 }],
  ["every fifth fails", { status: 500, every: 5 }],
  ["no answer", { fault: "hang", times: 1 }],
];

const example = `{
  "interface": "chat",
  "times": 1,
  "status": 503
}`;

/** The planned faults of the next requests. */
export function FaultsView(): VNode {
  const { value, failure, refusal, act } = useResource("/faults");
  const faults = value?.faults ?? [];
  const plan = (body: unknown): void =>
    void act("Fault planned.", "/faults", { method: "POST", body });
  const remove = (id: string): void =>
    void act("Fault removed.", `/faults/${encodeURIComponent(id)}`, { method: "DELETE" });
  return (
    <>
      <PageHead title="Faults" note="planned for the next requests">
        {faults.length > 0 && (
          <ConfirmButton
            label="Remove all"
            about="faults"
            onConfirm={() => void act("All faults removed.", "/faults", { method: "DELETE" })}
          />
        )}
      </PageHead>
      <div class="row" role="group" aria-label="Faults that are often needed">
        {presets.map(([title, rule]) => (
          <Button
            text={title}
            key={title}
            title={JSON.stringify(rule)}
            onClick={() => plan(rule)}
          />
        ))}
      </div>
      <JsonForm label="Fault" example={example} send="Plan fault" failure={refusal} onSend={plan} />
      <p class="muted">
        Which requests: interface, method, path, table, times, every, probability. What happens:
        status, delayMs, fault or afterChunks.
      </p>
      <FailureNotice failure={failure} />
      {value !== undefined && faults.length === 0 && (
        <p class="empty">
          Nothing is planned to go wrong. Choose a fault above, or write one as JSON.
        </p>
      )}
      <ul class="stack" aria-label="Planned faults">
        {faults.map(({ id, left, ...rule }) => (
          <li class="panel" key={id}>
            <div class="row">
              <h2>{id}</h2>
              <span class="badge">{left === undefined ? "until removed" : `${left} left`}</span>
              <div class="row end">
                <ConfirmButton label="Remove" about={id} onConfirm={() => remove(id)} />
              </div>
            </div>
            <JsonView label={`What ${id} does`} value={rule} />
          </li>
        ))}
      </ul>
    </>
  );
}
