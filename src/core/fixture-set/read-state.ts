import { didYouMean, showText } from "../errors/show.ts";
import { columnKind } from "../store/column-kinds.ts";
import type { Column } from "../store/schema.ts";
import { sqliteStorage, type StorageRules } from "../store/storage-rules.ts";
import {
  BlobValue,
  ExactInteger,
  integerValue,
  realValue,
  type Row,
  type RowId,
  type Value,
} from "../store/value.ts";
import type { JsonPath, JsonValue } from "../schema/json.ts";
import type { FixtureState } from "./fixture-set.ts";
import { check, type Findings } from "../schema/schema.ts";
import { type CellInput, type StateInput, stateSchema } from "./format/state-format.ts";
import { timeOf } from "../schema/time.ts";
import { storedRows } from "./tables/stored-form.ts";
import type { TablePlan } from "./tables/read-tables.ts";
import { tableLayout } from "../store/table-layout.ts";

/** Reads a document's state, except for its parts about tables and scripts. */
export function readState(value: unknown, findings: Findings): StateInput {
  if (value === undefined) return {};
  // One wrong part leaves out the whole state, since the check gives no value.
  return check(stateSchema, value, { path: ["state"], findings }) ?? {};
}

/** The parts of a state that concern neither rows nor generated keys. */
export function fixtureState({
  keys: _keys,
  cells: _cells,
  asStored: _asStored,
  rowIds: _rowIds,
  clock,
  ...same
}: StateInput): FixtureState {
  const time = clock === undefined ? undefined : timeOf(clock);
  return time === undefined ? same : { ...same, clock: time };
}

/** Reports counts of scripts that do not exist. */
export function checkMatches(
  { matches = {} }: StateInput,
  scripts: readonly string[],
  findings: Findings,
): void {
  const known = new Set(scripts);
  for (const name of Object.keys(matches)) {
    if (known.has(name)) continue;
    const message = `There is no script ${showText(name)}.${didYouMean(name, known)}`;
    findings.report(["state", "matches", name], message, { at: "key" });
  }
}

/** Reports faults of tables that do not exist. */
export function checkFaults(
  { faults = [] }: StateInput,
  tables: readonly string[],
  findings: Findings,
): void {
  for (const [index, fault] of faults.entries()) {
    refuseUnknownTable(fault, tables, { path: ["state", "faults", index], findings });
  }
}

/** Applies a state to the tables. Reports parts about unknown tables. */
export function withState(
  plans: readonly TablePlan[],
  state: StateInput,
  checks: TableChecks,
): readonly TablePlan[] {
  const { keys = {}, cells = {}, asStored = [], rowIds = {} } = state;
  checkTables(plans, state, checks);
  return plans.map((plan) => {
    const { name } = plan.schema;
    const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
    const own = Object.hasOwn(cells, name) ? (cells[name] ?? []) : [];
    const ids = Object.hasOwn(rowIds, name) ? rowIds[name] : undefined;
    const isStored = ids !== undefined || asStored.includes(name);
    if (key === undefined && own.length === 0 && !isStored) return plan;
    const { findings, storage } = checks;
    let rows = own.length === 0 ? plan.rows : withCells(plan, own, findings);
    if (isStored) rows = storedRows(rows, plan.schema, storage);
    if (ids !== undefined) rows = withRowIds({ rows, schema: plan.schema }, ids, findings);
    return {
      ...plan,
      rows,
      ...(key === undefined ? {} : { lastGeneratedKey: idOf(key) }),
      ...(isStored ? { asStored: true } : {}),
    };
  });
}

interface TableChecks {
  readonly findings: Findings;
  readonly storage: StorageRules;
  /** Whether a table could not be read, which has been reported already. */
  readonly isBroken: (name: string) => boolean;
}

function checkTables(
  plans: readonly TablePlan[],
  { keys = {}, cells = {}, asStored = [], rowIds = {} }: StateInput,
  { findings, isBroken }: TableChecks,
): void {
  const names = plans.map(({ schema }) => schema.name);
  const known = new Set(names);
  const look = (name: string, path: JsonPath, at: "key" | "value"): void => {
    if (known.has(name) || isBroken(name)) return;
    const message = `There is no table ${showText(name)}.${didYouMean(name, names)}`;
    findings.report(["state", ...path], message, { at });
  };
  for (const [part, tables] of Object.entries({ keys, cells, rowIds })) {
    for (const name of Object.keys(tables)) look(name, [part, name], "key");
  }
  for (const [index, name] of asStored.entries()) look(name, ["asStored", index], "value");
}

function withCells(
  { rows, schema }: TablePlan,
  cells: readonly CellInput[],
  findings: Findings,
): readonly Row[] {
  const changed = new Map<number, Map<string, Value>>();
  const columns = schema.columns.map(({ name }) => name);
  for (const [index, cell] of cells.entries()) {
    const path: JsonPath = ["state", "cells", schema.name, index];
    const { row, column } = cell;
    if (row >= rows.length) {
      const message = `There is no row ${row}: the table has ${rows.length}, counted from 0.`;
      findings.report([...path, "row"], message);
    } else if (!columns.includes(column)) {
      const message = `There is no column ${showText(column)}.${didYouMean(column, columns)}`;
      findings.report([...path, "column"], message);
    } else {
      const value = valueOf(cell);
      const kept = keptInexactly(value, schema.columns[columns.indexOf(column)]);
      if (kept !== undefined) {
        findings.report([...path, "integer"], kept);
        continue;
      }
      const values = changed.get(row) ?? new Map<string, Value>();
      changed.set(row, values.set(column, value));
    }
  }
  return rows.map((row, index) => {
    const values = changed.get(index);
    // Assignment would lose a column named `__proto__`.
    return values === undefined ? row : Object.fromEntries([...Object.entries(row), ...values]);
  });
}

/** The problem of an exact whole number in a REAL column, which would silently round it. */
function keptInexactly(value: Value, column: Column | undefined): string | undefined {
  if (!(value instanceof ExactInteger) || column === undefined) return undefined;
  const { name, type } = column;
  if (columnKind(type) !== "REAL") return undefined;
  return `Column ${showText(name)} of type ${type} cannot hold ${value.value} exactly. Give the column the type INTEGER or NUMERIC.`;
}

function valueOf({ blob, integer, real, json }: CellInput): Value {
  if (json !== undefined) {
    const value: JsonValue = JSON.parse(json);
    return value;
  }
  if (blob !== undefined) {
    const bytes = blob.match(/../g) ?? [];
    return new BlobValue(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
  }
  if (integer !== undefined) return integerValue(BigInt(integer));
  return realValue(Number(real));
}

/** Adds the row ids that a state gives to rows, under the name of the row id if it is not a column. */
export function withRowIds(
  { rows, schema }: Pick<TablePlan, "rows" | "schema">,
  ids: readonly (number | string)[],
  findings: Findings,
): readonly Row[] {
  const path = ["state", "rowIds", schema.name];
  const { hiddenRowId } = tableLayout(schema, sqliteStorage);
  if (hiddenRowId === undefined) {
    const message = `The rows of table ${showText(schema.name)} have no row ids apart from their columns. Remove the row ids.`;
    findings.report(path, message);
    return rows;
  }
  if (ids.length !== rows.length) {
    const message = `Expected ${rows.length} row ids, one per row of the table, but found ${ids.length}.`;
    findings.report(path, message);
    return rows;
  }
  const seen = new Set<bigint>();
  for (const [index, id] of ids.entries()) {
    const exact = BigInt(id);
    if (seen.has(exact)) findings.report([...path, index], `Another row has the row id ${exact}.`);
    seen.add(exact);
  }
  // Assignment would lose a column named `__proto__`.
  return rows.map((row, index) =>
    Object.fromEntries([
      ...Object.entries(row),
      [hiddenRowId, integerValue(BigInt(ids[index] ?? 0))],
    ]),
  );
}

/** A row id of a document: a number, or its digits where no number is exact. */
export function idOf(key: number | string): RowId {
  if (typeof key === "number") return key;
  const exact = BigInt(key);
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}

/** Reports a fault of a table that does not exist, since it would never act. `path` is the path of the rule. */
export function refuseUnknownTable(
  rule: unknown,
  tables: readonly string[],
  { path, findings }: { readonly path: JsonPath; readonly findings: Pick<Findings, "report"> },
): void {
  if (typeof rule !== "object" || rule === null || !("table" in rule)) return;
  const { table } = rule;
  if (typeof table !== "string" || table === "" || tables.includes(table)) return;
  const advice = didYouMean(table, tables) || ` Tables: ${tables.join(", ") || "none"}.`;
  findings.report([...path, "table"], `There is no table ${showText(table)}.${advice}`);
}
