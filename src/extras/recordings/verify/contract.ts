import type { RecordingPath } from "../../../core/recordings/cassette.ts";
import { type Place, readPlace } from "../../../core/recordings/recording-path.ts";
import { type Shapes, addShapes } from "./compare.ts";
import { counted } from "../../../core/errors/show.ts";
import { type JsonObject, isObject, isPresent } from "../../../core/schema/json.ts";
import type { Column } from "../../../core/store/schema.ts";
import type { FixtureSet } from "../../../core/fixture-set/fixture-set.ts";
import type { AskEmulator, ComparedRequest, RequestTimeout } from "./ask.ts";

/** A condition on an answer's JSON that is checked on both sides. */
export interface Fact {
  /** A description, such as `at most 2 rows`. */
  readonly name: string;
  readonly holds: (body: unknown) => boolean;
}

/** Where a request comes from. */
export type StepSource =
  /** `number` is the recording's number in the cassette, from 1. */
  { readonly cassette: string; readonly number: number } | { readonly check: string };

/** A request to compare, or why it is not compared. */
export interface VerifyStep {
  readonly source: StepSource;
  readonly interface: ComparedRequest["interface"];
  /** The request. Undefined: there is none to send. */
  readonly asked: ComparedRequest | undefined;
  /** Why the request is not sent. Undefined: it is sent. */
  readonly skipped?: string | undefined;
  /** The shapes of other answers to such requests. */
  readonly known?: Shapes | undefined;
  /** Places whose values are compared, too. */
  readonly stable: readonly Place[];
  readonly facts?: readonly Fact[];
  /** How long the recorded answer took, in milliseconds. Undefined if it did not end, or nothing is recorded. */
  readonly recordedMs?: number | undefined;
  /**
   * Whether the emulator's answer comes from a recording that stops before the service's answer ended. What followed is
   * unknown.
   */
  readonly isUnfinished?: boolean;
}

/** The source for readers: `cassettes/chat-hello.json 2`, `lists the models`. */
export function sourceName(source: StepSource): string {
  return "check" in source ? source.check : `cassettes/${source.cassette}.json ${source.number}`;
}

/** The request for readers: `GET /users?limit=2`. */
export function requestLine({ method, path, query }: ComparedRequest): string {
  return query === "" ? `${method} ${path}` : `${method} ${path}?${query}`;
}

/** A request that checks whether a service keeps the contract. */
export interface ContractCheck {
  /** The behaviour that the contract demands of a service: `lists the models`. */
  readonly name: string;
  /** What the fixtures lack for this check, in words: `a chat model`. Undefined: nothing. */
  readonly lacks?: string | undefined;
  /** The method. Default: `GET`. */
  readonly method?: string;
  readonly path: string;
  readonly query?: string;
  /** A body that is sent as JSON. */
  readonly json?: unknown;
  /** A body that is sent unchanged. */
  readonly text?: string;
  readonly withKey?: boolean;
  readonly facts?: readonly Fact[];
  /** Places whose values are compared, too. */
  readonly stable?: readonly RecordingPath[];
}

/** Makes a function for checks that have properties in common. Each check adds its name, and properties of its own. */
function checksWith(
  shared: Omit<ContractCheck, "name">,
): (name: string, own?: Partial<ContractCheck>) => ContractCheck {
  return (name, own) => ({ ...shared, name, ...own });
}

/** A name that no table, row or model has. */
const absentName = "backlot-verify-none";

/** The table that the checks use. It has rows. */
export interface TableSubject {
  readonly name: string;
  /** The rows as clients see them, at most a few hundred. */
  readonly rows: readonly JsonObject[];
  /** The column of the primary key. Undefined if there is none, or if the key has several columns. */
  readonly key: string | undefined;
  /** The columns besides the key. */
  readonly others: readonly Column[];
}

/** The rows in an answer of the tables interface. */
function rowsIn(body: unknown): readonly JsonObject[] {
  const result = isObject(body) ? body["result"] : undefined;
  return Array.isArray(result) ? result.filter(isObject) : [];
}

/** The path of a table, or of a row with this key. */
function tablePath(...steps: readonly string[]): string {
  return steps.map((step) => `/${encodeURIComponent(step)}`).join("");
}

function atMost(count: number): Fact {
  const name = `at most ${counted(count, "row")}`;
  return { name, holds: (body) => rowsIn(body).length <= count };
}

function allHave(column: string, value: unknown): Fact {
  return {
    name: `"${column}" is the one asked for`,
    holds: (body) => rowsIn(body).every((row) => String(row[column]) === String(value)),
  };
}

/**
 * The condition that a column's numbers are in descending order. Texts are ignored, since many services sort them in
 * another way.
 */
function descending(column: string): Fact {
  return {
    name: `"${column}" in descending order`,
    holds: (body) => {
      const numbers = rowsIn(body)
        .map((row) => row[column])
        .filter((value) => typeof value === "number");
      return numbers.every((number, index) => number <= (numbers[index - 1] ?? number));
    },
  };
}

const codes = ["body.code"];

/** The checks of the tables interface that only read. */
function tableChecks(table: TableSubject | undefined): readonly ContractCheck[] {
  const { name = "", key = "", rows: [first] = [] } = table ?? {};
  const value = first?.[key];
  const path = tablePath(name);
  const ofAny = checksWith({ path });
  const ofTable = checksWith({
    path,
    lacks: table === undefined ? "a table with rows" : undefined,
  });
  const ofKey = checksWith({
    path,
    lacks: isPresent(value) ? undefined : "a table with rows and a primary key of one column",
  });
  const facts = [allHave(key, value)];
  const column = encodeURIComponent(key);
  const text = encodeURIComponent(String(value));
  const absent = typeof value === "number" ? "987654321987" : absentName;
  return [
    ofTable("lists rows", { query: "limit=50" }),
    ofTable("returns a page of rows", { query: "limit=2&offset=1", facts: [atMost(2)] }),
    ofKey("sorts rows", {
      query: `sort_by=${column}&order=DESC&limit=10`,
      facts: [descending(key), atMost(10)],
    }),
    ofKey("filters rows", { query: `${column}=${text}&limit=10`, facts }),
    ofKey("filters rows by an operator", { query: `${column}.in=${text}&limit=10`, facts }),
    ofKey("returns a row by its key", {
      path: tablePath(name, String(value)),
      facts: [atMost(1), ...facts],
    }),
    ofKey("returns nothing for a key that no row has", {
      path: tablePath(name, absent),
      facts: [atMost(0)],
    }),
    ofAny("refuses a missing table", { path: "/backlot_verify_none", stable: codes }),
    ofTable("refuses a filter by a missing column", {
      query: "backlot_verify_none=1",
      stable: codes,
    }),
    ofTable("refuses tables without a token", { query: "limit=1", withKey: false, stable: codes }),
  ];
}

/** The row that the checks create, change and delete: a copy of the first row with a new key. */
interface TriedRow {
  readonly key: string | number;
  readonly row: JsonObject;
  /** The new value of a column that can be changed. */
  readonly change: JsonObject;
}

/** The first number for new keys: more than tables have, but within 32 bits. */
const firstNumber = 1_900_000_000;
const numbers = 100_000_000;

function triedRow({ rows, key, others }: TableSubject, random: number): TriedRow | undefined {
  const [first] = rows;
  if (key === undefined || first === undefined) return undefined;
  const isNumber = typeof first[key] === "number";
  if (!isNumber && typeof first[key] !== "string") return undefined;
  const number = firstNumber + Math.floor(random * numbers);
  const value = isNumber ? number : `backlot-verify-${number}`;
  const unique = others.filter((column) => column.unique);
  const cells = unique.map(({ name }) => [name, another(first[name], number)] as const);
  const row = { ...first, ...Object.fromEntries(cells), [key]: value };
  const free = others.find(
    (column) =>
      !column.unique && column.references === undefined && column.type.toUpperCase() === "TEXT",
  );
  // Without a column that accepts any text, the change sets the key to the same value.
  const change = free === undefined ? { [key]: value } : { [free.name]: `changed ${number}` };
  return { key: value, row, change };
}

/** A value that no other row has. */
function another(value: unknown, number: number): unknown {
  if (typeof value === "number") return number;
  return typeof value === "string" ? `${number}-${value}` : value;
}

/**
 * The checks that write to tables, in order: a row is created, read, changed, replaced and deleted, so that nothing
 * remains. `random` is at least 0 and less than 1.
 */
function writeChecks(table: TableSubject | undefined, random: number): readonly ContractCheck[] {
  const { name: tableName = "", key: column = "" } = table ?? {};
  const tried = table === undefined ? undefined : triedRow(table, random);
  const { key = "", row = {}, change = {} } = tried ?? {};
  const lacks =
    tried === undefined
      ? "a table with rows and a primary key of one column, a number or a text"
      : undefined;
  const write = checksWith({ lacks, path: tablePath(tableName, String(key)), stable: codes });
  const rows = { path: tablePath(tableName), method: "POST" };
  const shows = (cells: JsonObject): Fact => ({
    name: "the row as it was sent",
    holds: (body) => {
      const found = rowsIn(body).find((one) => String(one[column]) === String(key));
      return Object.entries(cells).every(
        ([name, cell]) => JSON.stringify(found?.[name]) === JSON.stringify(cell),
      );
    },
  });
  return [
    write("inserts a row", { ...rows, json: row }),
    write("returns the new row", { facts: [shows(row)] }),
    write("changes a row", { method: "PATCH", json: change }),
    write("returns the changed row", { facts: [shows({ ...row, ...change })] }),
    write("replaces a row", { method: "PUT", json: row }),
    write("returns the replaced row", { facts: [shows(row)] }),
    write("refuses a row without columns", { ...rows, json: {} }),
    write("refuses a missing column", { method: "PATCH", json: { [absentName]: 1 } }),
    write("deletes a row", { method: "DELETE" }),
    write("no longer returns the deleted row", { facts: [{ ...atMost(0), name: "no rows" }] }),
    write("reports a missing row that is to be deleted", { method: "DELETE" }),
  ];
}

/** What the checks can use of a fixture set. */
interface VerifySubject {
  /** The id of a chat model. */
  readonly model: string | undefined;
  readonly table: TableSubject | undefined;
}

/** Finds what the checks can use: a chat model, and a table with rows, if possible one whose key has one column. */
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
  const answer = await askEmulator(requestOf("tables", check), patience);
  const rows = answer?.body.kind === "json" ? rowsIn(answer.body.value) : [];
  if (rows.length === 0) return { model, table: undefined };
  const key = primaryKey.length === 1 ? primaryKey[0] : undefined;
  return { model, table: { name, rows, key, others: columns.filter((one) => one.name !== key) } };
}

/** The values that decide which checks are made. */
interface ContractContext {
  /** Whether to include checks that write. */
  readonly writes: boolean;
  /** The service's keys. Without a key, checks of a missing key make no sense. */
  readonly keys: Readonly<Record<ComparedRequest["interface"], string | undefined>>;
  /** A number from 0 up to but not including 1, which decides the key of the created row. */
  readonly random: number;
}

/** The checks as requests. */
export function contractSteps(
  { model, table }: VerifySubject,
  { writes, keys, random }: ContractContext,
): readonly VerifyStep[] {
  // A single row would not show everything that rows can have, so all known rows count.
  const result = table?.rows ?? [];
  const rows = addShapes({ kind: "json", value: { result } }, () => false);
  const stepsOf = (
    room: ComparedRequest["interface"],
    checks: readonly ContractCheck[],
    known?: VerifyStep["known"],
  ): readonly VerifyStep[] =>
    checks.map((check) => {
      const { name, lacks, facts = [], stable = [] } = check;
      const asked = lacks === undefined ? requestOf(room, check) : undefined;
      return {
        source: { check: name },
        interface: room,
        asked,
        skipped: whySkipped(check, keys[room]),
        known: asked?.method === "GET" ? known : undefined,
        stable: stable.map(readPlace),
        facts,
      };
    });
  return [
    ...stepsOf("chat", chatChecks(model)),
    ...stepsOf("tables", tableChecks(table), rows),
    ...(writes ? stepsOf("tables", writeChecks(table, random), rows) : []),
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
