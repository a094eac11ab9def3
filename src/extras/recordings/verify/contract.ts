import type { FixtureSet } from "../../../core/fixture-set/fixture-set.ts";
import { readPlace } from "../../../core/replay/recording-path.ts";
import type { AskEmulator, RequestTimeout } from "./ask.ts";
import { addShapes } from "./compare.ts";
import {
  type ComparedRequest,
  type ContractCheck,
  absentName,
  checksWith,
  type VerifyStep,
} from "./step.ts";
import { rowsIn, tableChecks, tablePath, type TableSubject, writeChecks } from "./table-checks.ts";

/** What contract checks find to ask for in a fixture set. */
interface VerifySubject {
  /** The id of a model that chats. */
  readonly model: string | undefined;
  readonly table: TableSubject | undefined;
}

/** Looks for what to ask in fixtures: a chat model, and a table with rows, if there is one with a key of one column. */
export async function subjectOf(
  fixtures: FixtureSet,
  askEmulator: AskEmulator,
  patience: RequestTimeout,
): Promise<VerifySubject> {
  const model = fixtures.models.find(({ kind }) => kind === "chat")?.id;
  const full = fixtures.tables.filter(({ rows }) => rows.length > 0);
  const chosen = full.find(({ schema }) => schema.primaryKey.length === 1) ?? full[0];
  if (chosen === undefined) return { model, table: undefined };
  const { name, primaryKey, columns } = chosen.schema;
  const check = { name: "", path: tablePath(name), query: "limit=200" };
  const answer = await askEmulator(requestOf("rest", check), patience);
  const rows = answer?.body.kind === "json" ? rowsIn(answer.body.value) : [];
  if (rows.length === 0) return { model, table: undefined };
  const key = primaryKey.length === 1 ? primaryKey[0] : undefined;
  return { model, table: { name, rows, key, others: columns.filter((one) => one.name !== key) } };
}

/** Which checks there are, and what for. */
interface ContractContext {
  /** Whether checks that write are among them. */
  readonly writes: boolean;
  /** The keys that the service was given: without one, nothing can be said of a key that is missing. */
  readonly keys: Readonly<Record<ComparedRequest["interface"], string | undefined>>;
  /** From 0 to below 1: what the key of a row follows from that is made and deleted. */
  readonly random: number;
}

/** The contract as requests. */
export function contractSteps(
  { model, table }: VerifySubject,
  { writes, keys, random }: ContractContext,
): readonly VerifyStep[] {
  // A single row tells little of what rows have: all that are known stand for it.
  const result = table?.rows ?? [];
  const rows = addShapes({ kind: "json", value: { result } }, () => false);
  const stepsOf = (
    room: ComparedRequest["interface"],
    checks: readonly ContractCheck[],
  ): readonly VerifyStep[] =>
    checks.map((check) => {
      const { name, lacks, facts = [], stable = [] } = check;
      const asked = lacks === undefined ? requestOf(room, check) : undefined;
      return {
        source: { check: name },
        interface: room,
        asked,
        skipped: whySkipped(check, keys[room]),
        known: room === "rest" && asked?.method === "GET" ? rows : undefined,
        stable: stable.map(readPlace),
        facts,
      };
    });
  return [
    ...stepsOf("chat", chatChecks(model)),
    ...stepsOf("rest", tableChecks(table)),
    ...(writes ? stepsOf("rest", writeChecks(table, random)) : []),
  ];
}

function whySkipped(
  { lacks, withKey }: ContractCheck,
  key: string | undefined,
): string | undefined {
  if (lacks !== undefined) return `the fixtures lack ${lacks}`;
  return withKey === false && key === undefined ? "no key for the service was given" : undefined;
}

/** The request of a check. */
function requestOf(
  room: ComparedRequest["interface"],
  { method = "GET", path, query = "", json, text, withKey = true }: ContractCheck,
): ComparedRequest {
  const sent = text ?? (json === undefined ? undefined : JSON.stringify(json));
  const body = sent === undefined ? undefined : new TextEncoder().encode(sent);
  return { interface: room, method, path, query, headers: {}, body, withKey };
}

const messages = [{ role: "user", content: "Reply with the word ok." }];
const failure = { stable: ["body.error.type", "body.error.code"] };
const success = { stable: ["body.object"] };

/** The contract of chat. */
function chatChecks(model: string | undefined): readonly ContractCheck[] {
  const lacks = model === undefined ? "a chat model" : undefined;
  const ofModels = checksWith({ path: "/models" });
  const ofPath = checksWith({ path: "/chat/completions" });
  const ofChat = checksWith({ method: "POST", path: "/chat/completions", lacks });
  const path = `/models/${encodeURIComponent(model ?? "")}`;
  const usage = { stream_options: { include_usage: true } };
  return [
    ofModels("lists the models", success),
    ofModels("returns one model", { path, lacks, ...success }),
    ofModels("reports a missing model", { path: `/models/${absentName}`, ...failure }),
    ofChat("completes a chat as JSON", {
      json: { model, messages },
      stable: ["body.object", "body.choices.*.message.role"],
    }),
    ofChat("streams a completion", { json: { model, messages, stream: true }, ...success }),
    ofChat("streams a completion with its usage", {
      json: { model, messages, stream: true, ...usage },
      ...success,
    }),
    ofPath("refuses a completion with a missing model", {
      method: "POST",
      json: { model: absentName, messages },
      ...failure,
    }),
    ofChat("refuses a completion without messages", { json: { model }, ...failure }),
    ofChat("refuses messages of a wrong type", { json: { model, messages: "hello" }, ...failure }),
    ofPath("refuses a completion whose body is not JSON", {
      method: "POST",
      text: '{"model":',
      ...failure,
    }),
    ofPath("refuses a completion by GET"),
    ofPath("reports a missing path", { path: `/${absentName}` }),
    ofModels("refuses chat without a key", { withKey: false, ...failure }),
  ];
}
