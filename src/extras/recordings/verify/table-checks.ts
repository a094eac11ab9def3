import { counted } from "../../../core/errors/counted.ts";
import { type CheckRequest, type ContractCheck, nobody } from "./contract-check.ts";
import type { Fact } from "./step.ts";
import { rowsIn, type TableSubject } from "./subject.ts";

const needsTable = "a table with rows";
const needsKey = "a table with rows and a primary key of one column";
const codes = ["body.code"];

/** What is asked of the table of the fixtures. */
function ofTable(ask: (table: TableSubject) => CheckRequest): ContractCheck["request"] {
  return ({ table }) => (table === undefined ? undefined : ask(table));
}

/** What is asked of it by its key, which is that of its first row. */
function ofKey(
  ask: (table: TableSubject, key: { name: string; value: unknown }) => CheckRequest,
): ContractCheck["request"] {
  return ({ table }) => {
    const value = table?.key === undefined ? undefined : table.rows[0]?.[table.key];
    if (table?.key === undefined || value === undefined || value === null) return undefined;
    return ask(table, { name: table.key, value });
  };
}

/** The path of a table. */
export function tablePath({ name }: TableSubject): string {
  return `/${encodeURIComponent(name)}`;
}

function condition(column: string, value: unknown): string {
  return `${encodeURIComponent(column)}=${encodeURIComponent(String(value))}`;
}

function atMost(count: number): Fact {
  return {
    name: `at most ${counted(count, "row")}`,
    holds: (body) => rowsIn(body).length <= count,
  };
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

/** A key that no row has. */
function absentKey(value: unknown): string {
  return typeof value === "number" ? "987654321987" : nobody;
}

/** The contract of the tables, as far as it only reads. */
export const tableChecks: readonly ContractCheck[] = [
  {
    name: "lists rows",
    interface: "rest",
    needs: needsTable,
    request: ofTable((table) => ({ path: tablePath(table), query: "limit=50" })),
  },
  {
    name: "gives a page of rows",
    interface: "rest",
    needs: needsTable,
    request: ofTable((table) => ({
      path: tablePath(table),
      query: "limit=2&offset=1",
      facts: [atMost(2)],
    })),
  },
  {
    name: "sorts rows",
    interface: "rest",
    needs: needsKey,
    request: ofKey((table, { name }) => ({
      path: tablePath(table),
      query: `sort_by=${encodeURIComponent(name)}&order=DESC&limit=10`,
      facts: [descending(name), atMost(10)],
    })),
  },
  {
    name: "filters rows",
    interface: "rest",
    needs: needsKey,
    request: ofKey((table, { name, value }) => ({
      path: tablePath(table),
      query: `${condition(name, value)}&limit=10`,
      facts: [allHave(name, value)],
    })),
  },
  {
    name: "filters rows by an operator",
    interface: "rest",
    needs: needsKey,
    request: ofKey((table, { name, value }) => ({
      path: tablePath(table),
      query: `${condition(`${name}.in`, value)}&limit=10`,
      facts: [allHave(name, value)],
    })),
  },
  {
    name: "gives a row by its key",
    interface: "rest",
    needs: needsKey,
    request: ofKey((table, { name, value }) => ({
      path: `${tablePath(table)}/${encodeURIComponent(String(value))}`,
      facts: [atMost(1), allHave(name, value)],
    })),
  },
  {
    name: "gives nothing for a key that no row has",
    interface: "rest",
    needs: needsKey,
    request: ofKey((table, { value }) => ({
      path: `${tablePath(table)}/${absentKey(value)}`,
      facts: [atMost(0)],
    })),
  },
  {
    name: "refuses a table that is not there",
    interface: "rest",
    request: () => ({ path: "/backlot_verify_none" }),
    stable: codes,
  },
  {
    name: "refuses a filter by a column that is not there",
    interface: "rest",
    needs: needsTable,
    request: ofTable((table) => ({ path: tablePath(table), query: "backlot_verify_none=1" })),
    stable: codes,
  },
  {
    name: "refuses tables without a token",
    interface: "rest",
    needs: needsTable,
    request: ofTable((table) => ({
      path: tablePath(table),
      query: "limit=1",
      withKey: false,
    })),
    stable: codes,
  },
];
