import type { VNode } from "preact";
import type { FaultRule } from "../../../core/fixture-set/format/fault-format.ts";
import type { EndpointEntry } from "../api/client.ts";
import { ConfirmButton, Button, JsonForm, Select } from "../parts/controls.tsx";
import { FailureNotice, JsonView, PageHead } from "../parts/display.tsx";
import { useConsole, useKept, useResource } from "../parts/use-console.ts";
import { canMeet, presets, ruleFor } from "./presets.ts";

const example = `{
  "interface": "chat",
  "times": 1,
  "status": 503
}`;

/** The view of the planned faults. */
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
      <Presets onPlan={plan} />
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

/** Buttons that plan a common fault, for all requests or those to one endpoint. */
function Presets({ onPlan }: { readonly onPlan: (rule: FaultRule) => void }): VNode {
  const { endpoints } = useConsole().setup;
  const [asked, setAsked] = useKept("faulty endpoint", "");
  const chosen = endpoints.find((one) => nameOf(one) === asked);
  const names = endpoints.map((one) => [nameOf(one), nameOf(one)] as const);
  return (
    <div class="row" role="group" aria-label="Faults that are often needed">
      <Select
        label="Requests"
        bare
        value={asked}
        options={[["", "all requests"], ...names]}
        onChange={setAsked}
      />
      {presets.map((preset) => {
        const rule = ruleFor(preset, endpoints, chosen);
        return (
          <Button
            text={preset.title}
            key={preset.title}
            title={JSON.stringify(rule)}
            disabled={!canMeet(preset, chosen)}
            onClick={() => onPlan(rule)}
          />
        );
      })}
    </div>
  );
}

function nameOf({ method, path }: EndpointEntry): string {
  return `${method} ${path}`;
}
