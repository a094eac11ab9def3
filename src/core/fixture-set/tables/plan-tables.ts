import { showValue } from "../../errors/show.ts";
import type { Row } from "../../store/value.ts";
import { type Column, inferColumns, plainColumn } from "../../store/schema.ts";
import { check } from "../../schema/schema.ts";
import { isObject } from "../../schema/json.ts";
import { type TableInput, tableSchema } from "../format/table-format.ts";
import type { Findings } from "../../schema/findings.ts";
import { readColumns } from "./read-columns.ts";
import type { TablePlan } from "./table-plan.ts";

/** What the tables of a document will be. Tables that are wrong are left out, and reported. */
export function planTables(value: unknown, findings: Findings): readonly TablePlan[] {
  if (value === undefined) return [];
  if (!isObject(value)) {
    findings.report(["tables"], `"tables" must be an object, but is ${showValue(value)}.`);
    return [];
  }
  return Object.entries(value).flatMap(([name, table]) => planTable(name, table, findings) ?? []);
}

function planTable(name: string, value: unknown, findings: Findings): TablePlan | undefined {
  const path = ["tables", name];
  if (name === "") {
    findings.report(path, "A table's name must not be empty.", { at: "key" });
    return undefined;
  }
  const checked = check(tableSchema, value, { path, findings });
  if (checked === undefined) return undefined;
  const rowsOnly = isRows(checked);
  const table: TableInput = rowsOnly ? { rows: checked } : checked;
  const { rows = [], generate } = table;
  const rowsPath = rowsOnly ? path : [...path, "rows"];
  const columns =
    table.columns === undefined
      ? columnsOfRows(table)
      : readColumns(table.columns, [...path, "columns"], findings);
  const primaryKey = keyOf(table.primaryKey, columns);
  return { schema: { name, columns, primaryKey }, given: table, rows, generate, path, rowsPath };
}

function isRows(table: TableInput | readonly Row[]): table is readonly Row[] {
  return Array.isArray(table);
}

/** What the rows have, and what only `generate` has: of that the values, and so the type, are not known. */
function columnsOfRows({ rows = [], generate }: TableInput): readonly Column[] {
  const inferred = inferColumns(rows);
  const known = new Set(inferred.map(({ name }) => name));
  const generated = Object.keys(generate?.row ?? {}).filter((name) => !known.has(name));
  return [...inferred, ...generated.map((name) => plainColumn(name, "ANY"))];
}

/** The key as it is given, else `id`. Whether its columns exist is judged with the whole schema. */
function keyOf(given: TableInput["primaryKey"], columns: readonly Column[]): readonly string[] {
  // A table without columns takes those of its first row, and `id` for its key, by itself.
  if (columns.length === 0 && given === "id") return [];
  if (given !== undefined) return typeof given === "string" ? [given] : given;
  return columns.some(({ name }) => name === "id") ? ["id"] : [];
}
