import type { Disagreement } from "./run-case.ts";
import { type FuzzCase, schemaFor, schemasOf, type Step } from "./fuzz-case.ts";
import { literal, type SqlCell } from "./sql-cell.ts";
import { createSql, selectSql, writeSql } from "./sql-text.ts";
import { storeQuery } from "./store-query.ts";

/** What to run to see a difference: SQL of all that came before it, and what both sides say. */
export function reproduction(fuzzCase: FuzzCase, { expected, actual }: Disagreement): string {
  const { seed, schema, load, rows, steps } = fuzzCase;
  const inserts = rows.map((given) => `${writeSql(schema, { kind: "insert", given })};`);
  return [
    `-- seed ${seed}`,
    "PRAGMA foreign_keys = ON;",
    ...schemasOf(fuzzCase)
      .flatMap(createSql)
      .map((sql) => `${sql};`),
    ...inserts,
    `-- loaded ${load}`,
    ...steps.map((step) => stepText(fuzzCase, step)),
    `-- SQLite: ${shown(expected, actual)}`,
    `-- store:  ${shown(actual, expected)}`,
  ].join("\n");
}

function stepText(fuzzCase: FuzzCase, step: Step): string {
  const { schema } = fuzzCase;
  switch (step.kind) {
    case "select": {
      const { sql, values } = selectSql(schema, step.query);
      const literals = values.map((value) =>
        literal(typeof value === "number" ? BigInt(value) : value),
      );
      const inlined = sql.replaceAll("?", () => literals.shift() ?? "?");
      return `${inlined}; -- sort of the store: ${JSON.stringify(storeQuery(schema, step.query).sort)}`;
    }
    case "save":
    case "fork":
      return `SAVEPOINT version; -- ${step.kind}`;
    case "back":
      return "ROLLBACK TO version; RELEASE version; -- if there is one";
    case "keep":
      return "RELEASE version; -- if there is one";
    default:
      return `${writeSql(schemaFor(fuzzCase, step), step)};${step.kind === "replace" ? " -- replace" : ""}`;
  }
}

const mostShown = 6;

/** A side's answer; of many rows, those from the first that differs. */
function shown(side: unknown, other: unknown): string {
  if (!Array.isArray(side) || !Array.isArray(other)) return textOf(side);
  const rows: readonly unknown[] = side;
  const others: readonly unknown[] = other;
  const first = rows.findIndex((row, at) => textOf(row) !== textOf(others[at]));
  const from = first < 0 ? rows.length : first;
  const part = rows.slice(from, from + mostShown).map(textOf);
  return `${rows.length} rows${from === 0 ? "" : `, from number ${from + 1}`}: ${part.join(", ")}`;
}

function textOf(value: unknown): string {
  if (typeof value === "bigint" || typeof value === "number") return literal(value);
  if (isRow(value)) return `(${value.map(literal).join(", ")})`;
  return typeof value === "string" ? value : JSON.stringify(value, plain);
}

function isRow(value: unknown): value is readonly SqlCell[] {
  return Array.isArray(value);
}

function plain(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
