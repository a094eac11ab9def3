import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { PlannedFault } from "../../../core/fixture-set/format/fault-format.ts";
import type { Failure } from "../api/failure.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { useConsole } from "../parts/console-context.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { useKept } from "../parts/use-kept.ts";
import { useLoad } from "../parts/use-load.ts";
import type { WatchedRequests } from "../requests/use-requests.ts";
import { FaultForm } from "./fault-form.tsx";
import { effectText, faultRule, firstFault, faultTarget } from "./fault-rule.ts";

interface FaultList {
  readonly faults: readonly PlannedFault[];
}

interface FaultsViewProps {
  readonly requests: WatchedRequests;
}

/** What is planned to go wrong with the requests to come. */
export function FaultsView({ requests: { entries } }: FaultsViewProps): VNode {
  const { client, announce } = useConsole();
  // Each that is met may be used up by it.
  const lastMet = entries.findLast(({ fault }) => fault !== null)?.id ?? "";
  const { value, failure, reload } = useLoad(() => client.control<FaultList>("/faults"), lastMet);
  const [draft, setDraft] = useKept("fault", firstFault);
  const [refusal, setRefusal] = useState<Failure>();
  const faults = value?.faults ?? [];
  const ask = async (method: "POST" | "DELETE", path: string, told: string): Promise<void> => {
    const asked = method === "POST" ? { method, body: faultRule(draft) } : { method };
    const answer = await client.control(path, asked);
    setRefusal(answer.ok ? undefined : answer.error);
    if (answer.ok) announce(told);
    reload();
  };
  return (
    <>
      <PageHead title="Faults" note="what goes wrong with requests to come">
        {faults.length > 0 && (
          <ConfirmButton
            label="Remove all"
            about="faults"
            onConfirm={() => void ask("DELETE", "/faults", "All faults are gone.")}
          />
        )}
        <button type="button" class="quiet" onClick={reload}>
          Reload
        </button>
      </PageHead>
      <FaultForm
        draft={draft}
        onChange={setDraft}
        onAdd={() => void ask("POST", "/faults", "The fault is planned.")}
      />
      <FailureNotice failure={failure ?? refusal} />
      {value !== undefined && faults.length === 0 && (
        <p class="empty">Nothing is planned to go wrong.</p>
      )}
      <ul class="cards" aria-label="Planned faults">
        {faults.map((fault) => (
          <FaultCard
            key={fault.id}
            fault={fault}
            onRemove={() =>
              void ask("DELETE", `/faults/${encodeURIComponent(fault.id)}`, "The fault is gone.")
            }
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

function FaultCard({ fault, onRemove }: FaultCardProps): VNode {
  const { id, probability } = fault;
  return (
    <li class="panel fault">
      <div class="panel-head">
        <h2>{effectText(fault)}</h2>
        <span class="badge">{leftText(fault)}</span>
        <div class="actions">
          <ConfirmButton label="Remove" about={id} onConfirm={onRemove} />
        </div>
      </div>
      <p class="muted">
        {id} · {faultTarget(fault)}
        {probability !== undefined && ` · ${Number((probability * 100).toFixed(2))} % of them`}
      </p>
    </li>
  );
}

function leftText({ left }: PlannedFault): string {
  if (left === undefined) return "until removed";
  return left === 1 ? "once more" : `${left} times more`;
}
