import { type CheckRequest, type ContractCheck, nobody } from "./contract-check.ts";
import type { Fact } from "./step.ts";
import { type PlainRow, rowsIn, type VerifySubject, type TableSubject } from "./subject.ts";
import { tablePath } from "./table-checks.ts";

const needs = "a table with rows and a primary key of one column, a number or a text";

/** A row that is made, changed and deleted: a copy of the first one under a key of its own. */
interface TriedRow {
  readonly table: TableSubject;
  readonly key: { readonly name: string; readonly value: string | number };
  readonly row: PlainRow;
  /** A column that can be changed, and what to. */
  readonly change: PlainRow;
}

/** Beyond what tables have; whole numbers of 32 bits fit. */
const firstNumber = 1_900_000_000;
const numbers = 100_000_000;

function triedRow({ table }: VerifySubject, random: number): TriedRow | undefined {
  const [first] = table?.rows ?? [];
  if (table?.key === undefined || first === undefined) return undefined;
  const isNumber = typeof first[table.key] === "number";
  if (!isNumber && typeof first[table.key] !== "string") return undefined;
  const number = firstNumber + Math.floor(random * numbers);
  const value = isNumber ? number : `backlot-verify-${number}`;
  const others = Object.fromEntries(
    table.unique.map((name) => [name, another(first[name], number)]),
  );
  const row = { ...first, ...others, [table.key]: value };
  // Where no text may be any, a change that changes nothing is one still.
  const [column = table.key] = table.free;
  const change = { [column]: column === table.key ? value : `changed ${number}` };
  return { table, key: { name: table.key, value }, row, change };
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
export function writeChecks(random: number): readonly ContractCheck[] {
  const check = (
    name: string,
    ask: (tried: TriedRow) => CheckRequest | undefined,
  ): ContractCheck => ({
    name,
    interface: "rest",
    needs,
    stable: ["body.code"],
    request: (subject) => {
      const tried = triedRow(subject, random);
      return tried === undefined ? undefined : ask(tried);
    },
  });
  return [
    check("makes a row", ({ table, row }) => ({
      method: "POST",
      path: tablePath(table),
      json: row,
    })),
    check("has the row that was made", (tried) => ({ path: rowPath(tried), facts: [has(tried)] })),
    check("changes a row", (tried) => ({
      method: "PATCH",
      path: rowPath(tried),
      json: tried.change,
    })),
    check("has the row that was changed", (tried) => ({
      path: rowPath(tried),
      facts: [has({ ...tried, row: { ...tried.row, ...tried.change } })],
    })),
    check("replaces a row", (tried) => ({ method: "PUT", path: rowPath(tried), json: tried.row })),
    check("has the row that was replaced", (tried) => ({
      path: rowPath(tried),
      facts: [has(tried)],
    })),
    check("refuses a row without columns", ({ table }) => ({
      method: "POST",
      path: tablePath(table),
      json: {},
    })),
    check("refuses a column that is not there", (tried) => ({
      method: "PATCH",
      path: rowPath(tried),
      json: { [nobody]: 1 },
    })),
    check("deletes a row", (tried) => ({ method: "DELETE", path: rowPath(tried) })),
    check("has no row that was deleted", (tried) => ({
      path: rowPath(tried),
      facts: [{ name: "no rows", holds: (body) => rowsIn(body).length === 0 }],
    })),
    check("tells of a row that is not there when it is to be deleted", (tried) => ({
      method: "DELETE",
      path: rowPath(tried),
    })),
  ];
}

function rowPath({ table, key }: TriedRow): string {
  return `${tablePath(table)}/${encodeURIComponent(String(key.value))}`;
}

function has({ key, row }: TriedRow): Fact {
  const name = "the row as it was sent";
  return {
    name,
    holds: (body) => {
      const found = rowsIn(body).find((one) => String(one[key.name]) === String(key.value));
      return Object.entries(row).every(
        ([column, cell]) => JSON.stringify(found?.[column]) === JSON.stringify(cell),
      );
    },
  };
}
