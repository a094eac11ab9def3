import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { faultKindNames } from "../../../core/chat/faults/fault-kinds.ts";
import type { JournalEntry, JournalSummary } from "../../../core/emulator/journal/entry.ts";
import { parseJsonText } from "../../../core/schema/json.ts";
import type { Failure } from "../api/client.ts";
import { Button, CodeField, Field, Form, Select, TextField } from "../parts/controls.tsx";
import { FailureNotice } from "../parts/display.tsx";
import { useConsole, useLoad, useResource } from "../parts/use-console.ts";
import {
  conversationsIn,
  endpointScope,
  type FaultDraft,
  firstDraft,
  ruleOf,
  type ScopeKind,
  type ScopeOption,
  type ScopeOptions,
} from "./fault-draft.ts";

interface FaultFormProps {
  /** The known requests, among which models are found. */
  readonly entries: readonly JournalSummary[];
  readonly failure: Failure | undefined;
  /** Plans a fault in a session. Null: the base session. */
  readonly onPlan: (rule: unknown, session: string | null) => void;
}

/** A form for a fault: what goes wrong, for which requests, how often. It writes the rule, which can be edited, too. */
export function FaultForm({ entries, failure, onPlan }: FaultFormProps): VNode {
  const { setup } = useConsole();
  const scopes = useScopes(entries);
  const [draft, setDraft] = useState(firstDraft);
  const [session, setSession] = useState(setup.session);
  const [text, setText] = useState(() => textOf(firstDraft, scopes));
  const [problem, setProblem] = useState<Failure>();
  const change = (changed: Partial<FaultDraft>): void => {
    const next = withOption({ ...draft, ...changed }, scopes);
    setDraft(next);
    setText(textOf(next, scopes));
  };
  const plan = (): void => {
    const typed = parseJsonText(text);
    if (typed.ok) onPlan(typed.value, session);
    setProblem(typed.ok ? undefined : { status: 400, message: `This is not JSON: ${typed.error}` });
  };
  return (
    <Form class="panel fault-form" aria-label="Plan fault" onSend={plan}>
      <div class="two">
        <div class="stack">
          <EffectFields draft={draft} onChange={change} />
          <ScopeFields draft={draft} scopes={scopes} onChange={change} />
          <div class="row bottom">
            <NumberField name="times" label="How often" hint="always" {...{ draft, change }} />
            <NumberField name="every" label="Only every n-th" hint="1" {...{ draft, change }} />
            <SessionField value={session} onChange={setSession} />
          </div>
        </div>
        <CodeField label="Fault (JSON)" rows={9} value={text} onChange={setText} />
      </div>
      <FailureNotice failure={problem ?? failure} />
      <div class="row">
        <Button text="Plan fault" type="submit" class="primary" />
      </div>
    </Form>
  );
}

function textOf(draft: FaultDraft, scopes: ScopeOptions): string {
  return JSON.stringify(ruleOf(draft, chosenScope(draft, scopes)?.rule ?? {}), undefined, 2);
}

function chosenScope({ scope, scoped }: FaultDraft, scopes: ScopeOptions): ScopeOption | undefined {
  return scope === "all" ? undefined : scopes[scope].find(({ name }) => name === scoped);
}

/** A draft whose scope is one that exists: the first of its kind, until another is chosen. */
function withOption(draft: FaultDraft, scopes: ScopeOptions): FaultDraft {
  if (draft.scope === "all" || chosenScope(draft, scopes) !== undefined) return draft;
  return { ...draft, scoped: scopes[draft.scope][0]?.name ?? "" };
}

/** The chats among which conversations are found, which need their bodies. They are read again at most this often. */
const latestChats = "/requests?interface=chat&last=40";
const latestMs = 1000;

/** What a fault can be limited to in this session. */
function useScopes(entries: readonly JournalSummary[]): ScopeOptions {
  const { client, setup } = useConsole();
  const { value } = useResource("/chats");
  const { value: latest } = useLoad(
    () => client.control<{ readonly requests: readonly JournalEntry[] }>(latestChats),
    entries.findLast(({ chat }) => chat !== null)?.id ?? "",
    latestMs,
  );
  return useMemo(
    () => ({
      endpoint: setup.endpoints.map((one) => ({
        name: `${one.method} ${one.path}`,
        rule: endpointScope(one),
      })),
      table: setup.tables.map(({ name }) => ({ name, rule: { table: name } })),
      model: modelsIn(entries, setup.model).map((name) => ({
        name,
        rule: { when: { model: name } },
      })),
      script: (value?.chats ?? []).map(({ name }) => ({ name, rule: { script: name } })),
      conversation: conversationsIn(latest?.requests ?? []),
    }),
    [setup.endpoints, setup.tables, setup.model, value, entries, latest],
  );
}

/** The first model of the fixtures, and those that were asked for. */
function modelsIn(entries: readonly JournalSummary[], first: string | null): readonly string[] {
  const asked = entries.flatMap(({ chat }) =>
    chat === null || chat.model === null ? [] : [chat.model],
  );
  return [...new Set([...(first === null ? [] : [first]), ...asked])];
}

interface FieldsProps {
  readonly draft: FaultDraft;
  readonly onChange: (change: Partial<FaultDraft>) => void;
}

const effects: readonly (readonly [FaultDraft["effect"], string])[] = [
  ["status", "an error status"],
  ["delay", "a delay"],
  ...faultKindNames.map((kind) => [kind, kind] as const),
];

/** What goes wrong, and its details. */
function EffectFields({ draft, onChange }: FieldsProps): VNode {
  const { effect } = draft;
  const fields = { draft, change: onChange };
  const isKind = effect !== "status" && effect !== "delay";
  return (
    <div class="row bottom">
      <Select
        label="What goes wrong"
        value={effect}
        options={effects}
        onChange={(chosen) =>
          onChange({
            effect: chosen,
            ...(chosen === "delay" && draft.delayMs === "" ? { delayMs: "1000" } : {}),
          })
        }
      />
      {effect === "status" && <NumberField name="status" label="Status" hint="503" {...fields} />}
      {effect === "status" && (
        <TextField
          label="Message"
          placeholder="the service's own"
          value={draft.message}
          onChange={(message) => onChange({ message })}
        />
      )}
      {effect === "status" && (
        <NumberField name="retryAfterMs" label="Retry after (ms)" hint="not said" {...fields} />
      )}
      {isKind && <NumberField name="afterChunks" label="After chunks" hint="0" {...fields} />}
      <NumberField name="delayMs" label="Delay (ms)" hint="none" {...fields} />
    </div>
  );
}

const scopeKinds: readonly (readonly [ScopeKind, string])[] = [
  ["all", "all requests"],
  ["endpoint", "an endpoint"],
  ["table", "a table"],
  ["model", "a model"],
  ["script", "a script"],
  ["conversation", "one conversation"],
];

/** The fields for the requests that a fault is for. */
function ScopeFields({
  draft: { scope, scoped },
  scopes,
  onChange,
}: FieldsProps & { readonly scopes: ScopeOptions }): VNode {
  const options = scope === "all" ? [] : scopes[scope];
  return (
    <div class="row bottom">
      <Select
        label="For which requests"
        value={scope}
        options={scopeKinds}
        onChange={(chosen) => onChange({ scope: chosen, scoped: "" })}
      />
      {options.length > 0 && (
        <Select
          label="Which one"
          value={scoped}
          options={options.map(({ name }) => [name, name] as const)}
          onChange={(chosen) => onChange({ scoped: chosen })}
        />
      )}
      {scope !== "all" && options.length === 0 && (
        <p class="muted">There is none yet, so the fault is for all requests.</p>
      )}
    </div>
  );
}

interface NumberFieldProps {
  readonly name: keyof FaultDraft;
  readonly label: string;
  /** What an empty field means. */
  readonly hint: string;
  readonly draft: FaultDraft;
  readonly change: (change: Partial<FaultDraft>) => void;
}

function NumberField({ name, label, hint, draft, change }: NumberFieldProps): VNode {
  return (
    <Field label={label} class="number-field">
      <input
        inputMode="numeric"
        autocomplete="off"
        placeholder={hint}
        value={draft[name]}
        onInput={(event) => change({ [name]: event.currentTarget.value })}
      />
    </Field>
  );
}

interface SessionFieldProps {
  readonly value: string | null;
  readonly onChange: (session: string | null) => void;
}

/** The session in which a fault is planned. Faults belong to one session. */
function SessionField({ value, onChange }: SessionFieldProps): VNode {
  const { setup } = useConsole();
  const { value: listed } = useResource("/sessions");
  const names = new Set((listed?.sessions ?? []).map(({ id }) => id).toReversed());
  if (setup.session !== null) names.add(setup.session);
  return (
    <Select
      label="Session"
      value={value ?? ""}
      options={[["", "base session"], ...[...names].map((id) => [id, id] as const)]}
      onChange={(id) => onChange(id === "" ? null : id)}
    />
  );
}
