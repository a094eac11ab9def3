import type { VNode } from "preact";
import type { PlannedFault } from "../../../core/fixture-set/format/fault-format.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Button } from "../parts/form.tsx";
import { JsonForm } from "../parts/json-form.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { useResource } from "../parts/use-load.ts";
import { presets } from "./presets.ts";

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
        {faults.map((fault) => (
          <FaultCard
            key={fault.id}
            fault={fault}
            onRemove={() => {
              const path = `/faults/${encodeURIComponent(fault.id)}`;
              void act("Fault removed.", path, { method: "DELETE" });
            }}
          />
        ))}
      </ul>
    </>
  );
}

interface FaultCardProps {
  readonly fault: PlannedFault;
  readonly onRemove: () => void;
}

function FaultCard({ fault: { id, left, ...rule }, onRemove }: FaultCardProps): VNode {
  return (
    <li class="panel">
      <div class="row">
        <h2>{id}</h2>
        <span class="badge">{left === undefined ? "until removed" : `${left} left`}</span>
        <div class="row end">
          <ConfirmButton label="Remove" about={id} onConfirm={onRemove} />
        </div>
      </div>
      <JsonView label={`What ${id} does`} value={rule} />
    </li>
  );
}
