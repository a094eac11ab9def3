import type { VNode } from "preact";
import type { PlannedFault } from "../../../core/fixture-set/format/fault-format.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { JsonForm } from "../parts/json-form.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { useResource } from "../parts/use-actions.ts";
import type { WatchedRequests } from "../requests/use-requests.ts";

const example = `{
  "interface": "chat",
  "times": 1,
  "status": 503
}`;

interface FaultsViewProps {
  readonly requests: WatchedRequests;
}

/** The planned faults of the next requests. */
export function FaultsView({ requests: { entries } }: FaultsViewProps): VNode {
  // A request may use up a fault.
  const lastMet = entries.findLast(({ fault }) => fault !== null)?.id ?? "";
  const { value, failure, reload, refusal, act } = useResource<{
    readonly faults: readonly PlannedFault[];
  }>("/faults", lastMet);
  const faults = value?.faults ?? [];
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
        <button type="button" class="quiet" onClick={reload}>
          Reload
        </button>
      </PageHead>
      <JsonForm
        label="Fault"
        example={example}
        send="Plan fault"
        failure={refusal}
        onSend={(body) => void act("Fault planned.", "/faults", { method: "POST", body })}
      />
      <p class="muted">
        Which requests: interface, method, path, table, times, probability. What happens: status,
        delayMs or fault.
      </p>
      <FailureNotice failure={failure} />
      {value !== undefined && faults.length === 0 && (
        <p class="empty">Nothing is planned to go wrong.</p>
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
