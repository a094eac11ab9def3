import { counted } from "../../../core/errors/show.ts";
import { type JsonObject, isObject, isPresent } from "../../../core/schema/json.ts";
import type { Column } from "../../../core/store/schema.ts";
import { type ContractCheck, type Fact, absentName, checksWith } from "./step.ts";

/** A table that the contract checks ask for. It has rows. */
export interface TableSubject {
  readonly name: string;
  /** As clients see them; not more than some hundred. */
  readonly rows: readonly JsonObject[];
  /** The column of the primary key. Undefined: there is none, or there are several. */
  readonly key: string | undefined;
  /** The columns besides the key. */
  readonly others: readonly Column[];
}

/** The rows of an answer of the tables. */
export function rowsIn(body: unknown): readonly JsonObject[] {
  const result = isObject(body) ? body["result"] : undefined;
  return Array.isArray(result) ? result.filter(isObject) : [];
}

/** The path of a table, or of a row by its key. */
export function tablePath(...steps: readonly string[]): string {
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

/** Only numbers are judged: the order of texts is another one in many services. */
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

/** The contract of the tables, as far as it only reads. */
export function tableChecks(table: TableSubject | undefined): readonly ContractCheck[] {
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

/** A row that is made, changed and deleted: a copy of the first one under a key of its own. */
interface TriedRow {
  readonly key: string | number;
  readonly row: JsonObject;
  /** A column that can be changed, and what to. */
  readonly change: JsonObject;
}

/** Beyond what tables have; whole numbers of 32 bits fit. */
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
  // Where no text may be any, a change that changes nothing is one still.
  const change = free === undefined ? { [key]: value } : { [free.name]: `changed ${number}` };
  return { key: value, row, change };
}

/** A value that no other row has. */
function another(value: unknown, number: number): unknown {
  if (typeof value === "number") return number;
  return typeof value === "string" ? `${number}-${value}` : value;
}

/**
 * The contract of the tables' writes, in the order in which they are done: a row is made, looked at, changed, replaced
 * and deleted. Nothing stays. `random` is from 0 to below 1.
 */
export function writeChecks(
  table: TableSubject | undefined,
  random: number,
): readonly ContractCheck[] {
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
