import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { FaultRule } from "../../../core/fixture-set/format/fault-format.ts";
import type { JournalSummary } from "../../../core/emulator/journal/entry.ts";
import { baseOf, Client, consolePath, type EndpointEntry, type Failure } from "../api/client.ts";
import { ConfirmButton, Button, Select } from "../parts/controls.tsx";
import { FailureToast, JsonView, PageHead } from "../parts/display.tsx";
import { useConsole, useKept, useResource } from "../parts/use-console.ts";
import { FaultForm } from "./fault-form.tsx";
import { makesSenseFor, presets, ruleFor } from "./presets.ts";

/** The view of the planned faults. */
export function FaultsView({ entries }: { readonly entries: readonly JournalSummary[] }): VNode {
  const { setup } = useConsole();
  const { value, failure, refusal, act } = useResource("/faults");
  const elsewhere = usePlanElsewhere();
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
      <FaultForm
        entries={entries}
        failure={refusal ?? elsewhere.refusal}
        onPlan={(rule, session) =>
          session === setup.session ? plan(rule) : void elsewhere.plan(rule, session)
        }
      />
      <FailureToast failure={failure} />
      {value !== undefined && faults.length === 0 && (
        <p class="empty">Nothing is planned to go wrong. Choose a fault above, or describe one.</p>
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

/** Plans faults in other sessions than that of the page. */
function usePlanElsewhere(): {
  readonly refusal: Failure | undefined;
  readonly plan: (rule: unknown, session: string | null) => Promise<void>;
} {
  const { announce } = useConsole();
  const [refusal, setRefusal] = useState<Failure>();
  const plan = async (rule: unknown, session: string | null): Promise<void> => {
    const client = new Client(baseOf(consolePath(session ?? undefined)));
    const answer = await client.control("/faults", { method: "POST", body: rule });
    setRefusal(answer.ok ? undefined : answer.error);
    if (answer.ok) announce(`Fault planned in ${session ?? "the base session"}.`);
  };
  return { refusal, plan };
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
            disabled={!makesSenseFor(preset, chosen)}
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
