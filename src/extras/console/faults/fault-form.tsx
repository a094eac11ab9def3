import type { VNode } from "preact";
import { faultKinds, plannedFaultKinds } from "../../../core/chat/faults/fault-kinds.ts";
import { useConsole } from "../parts/console-context.ts";
import { Field, Select } from "../parts/field.tsx";
import type { FaultDraft } from "./fault-rule.ts";

interface FaultFormProps {
  readonly draft: FaultDraft;
  readonly onChange: (draft: FaultDraft) => void;
  readonly onAdd: () => void;
}

const interfaces = [
  ["", "both"],
  ["rest", "tables"],
  ["chat", "chat"],
] as const;

const methods = ["", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].map(
  (method) => [method, method === "" ? "any" : method] as const,
);

const effects = [
  ["status", "answer an error"],
  ["delay", "hold the answer back"],
  ...plannedFaultKinds.map((kind) => [kind, faultKinds[kind].planned.toDo] as const),
] as const;

/** Plans a fault: whom it hits, how often, and what it does. */
export function FaultForm({ draft, onChange, onAdd }: FaultFormProps): VNode {
  const { setup } = useConsole();
  const change = (part: Partial<FaultDraft>): void => onChange({ ...draft, ...part });
  const tables = setup.tables.map(({ name }) => [name, name] as const);
  return (
    <form
      class="panel stack"
      aria-label="Plan a fault"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd();
      }}
    >
      <div class="bar">
        <Select
          label="Do"
          value={draft.effect}
          options={effects}
          onChange={(effect) => change({ effect })}
        />
        <Effect draft={draft} change={change} />
        <Text label="Times" name="times" draft={draft} change={change} hint="for ever" narrow />
        <Text
          label="Probability"
          name="probability"
          draft={draft}
          change={change}
          hint="1"
          narrow
        />
      </div>
      <div class="bar">
        <Select
          label="Interface"
          value={draft.interface}
          options={interfaces}
          onChange={(value) => change({ interface: value })}
        />
        <Select
          label="Method"
          value={draft.method}
          options={methods}
          onChange={(method) => change({ method })}
        />
        <Select
          label="Table"
          value={draft.table}
          options={[["", "any"] as const, ...tables]}
          onChange={(table) => change({ table })}
        />
        <Text label="Path begins with" name="path" draft={draft} change={change} hint="/v1/chat" />
        <button type="submit" class="primary">
          Plan fault
        </button>
      </div>
    </form>
  );
}

interface PartProps {
  readonly draft: FaultDraft;
  readonly change: (part: Partial<FaultDraft>) => void;
}

const delays = [
  ["fixed", "always as long"],
  ["range", "between"],
  ["normal", "log-normal"],
] as const;

function Effect({ draft, change }: PartProps): VNode | null {
  const part = { draft, change };
  if (draft.effect === "status") {
    return (
      <>
        <Text label="Status" name="status" {...part} narrow />
        <Text label="Message" name="message" {...part} hint="the usual one" />
        <Text label="Retry after, ms" name="retryAfterMs" {...part} hint="none" narrow />
      </>
    );
  }
  if (draft.effect !== "delay") return null;
  return (
    <>
      <Select
        label="How long"
        value={draft.delay}
        options={delays}
        onChange={(delay) => change({ delay })}
      />
      <Text
        label={{ fixed: "ms", range: "from ms", normal: "median ms" }[draft.delay]}
        name="first"
        {...part}
        narrow
      />
      {draft.delay !== "fixed" && (
        <Text label={draft.delay === "range" ? "to ms" : "sigma"} name="second" {...part} narrow />
      )}
    </>
  );
}

interface TextProps extends PartProps {
  readonly label: string;
  readonly name:
    | "times"
    | "probability"
    | "path"
    | "status"
    | "message"
    | "retryAfterMs"
    | "first"
    | "second";
  readonly hint?: string;
  readonly narrow?: boolean;
}

function Text({ label, name, draft, change, hint = "", narrow = false }: TextProps): VNode {
  return (
    <Field label={label} class={narrow ? "narrow" : "grow"}>
      <input
        spellcheck={false}
        inputMode={narrow ? "decimal" : "text"}
        placeholder={hint}
        value={draft[name]}
        onInput={(event) => change({ [name]: event.currentTarget.value })}
      />
    </Field>
  );
}
