import {
  type ColumnInput,
  type GenerateInput,
  type TableInput,
  tableSchema,
} from "../format/table-format.ts";
import { isObject, type JsonPath } from "../../schema/json.ts";
import type { Row } from "../../store/value.ts";
import type { TableContents } from "../../store/database.ts";
import {
  type Column,
  type ColumnReference,
  CurrentTime,
  isTimeFormat,
  inferColumns,
  plainColumn,
  type TableSchema,
} from "../../store/schema.ts";
import { didYouMean, showText, showValue } from "../../errors/show.ts";
import { check, type Findings } from "../../schema/schema.ts";
import { refuseRewritten } from "../json/json-copy.ts";
import { strictStorage } from "../../store/storage-rules.ts";
import { schemaViolations } from "../../store/schema-check.ts";

/** A table before its rows are loaded. */
export interface TablePlan extends TableContents {
  readonly schema: TableSchema;
  /** The table as written. */
  readonly given: TableInput;
  readonly rows: readonly Row[];
  readonly generate: GenerateInput | undefined;
  /** The places of the table and of its rows in the document. */
  readonly path: JsonPath;
  readonly rowsPath: JsonPath;
}

/** Plans the tables of a document. Wrong tables are reported and left out. */
export function planTables(value: unknown, findings: Findings): readonly TablePlan[] {
  if (value === undefined) return [];
  if (!isObject(value)) {
    findings.report(["tables"], `"tables" must be an object, but is ${showValue(value)}.`);
    return [];
  }
  const plans: TablePlan[] = [];
  for (const [name, table] of Object.entries(value)) {
    const plan = planTable(name, table, findings);
    if (plan !== undefined) plans.push(plan);
  }
  return plans;
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
  const schema = { name, columns, primaryKey, ...furtherParts(table, columns) };
  return { schema, given: table, rows, generate, path, rowsPath };
}

/**
 * The parts of a schema that few tables have: unique keys and foreign keys of several columns, and the rules for row
 * ids.
 */
function furtherParts(
  { unique = [], foreignKeys = [], autoIncrement = false, withoutRowId = false }: TableInput,
  columns: readonly Column[],
): Partial<TableSchema> {
  const indexes = unique.map((names) => ({
    unique: true,
    columns: names.map((name) => {
      const collate = columns.find((column) => column.name === name)?.collate ?? "BINARY";
      return { name, collate, descending: false };
    }),
  }));
  const keys = foreignKeys.map(({ columns: own, table, to, ...actions }) => {
    return { columns: own, to: { table, columns: to }, ...actions };
  });
  return {
    ...(indexes.length > 0 ? { indexes } : {}),
    ...(keys.length > 0 ? { foreignKeys: keys } : {}),
    ...(autoIncrement ? { autoIncrement } : {}),
    ...(withoutRowId ? { withoutRowId } : {}),
  };
}

/** Whether a table has SQL conditions for its rows. */
export function hasChecks({ columns = {}, check: own }: TableInput): boolean {
  return own !== undefined || Object.values(columns).some(hasCheck);
}

function hasCheck(column: string | ColumnInput): boolean {
  return typeof column === "object" && column.check !== undefined;
}

function isRows(table: TableInput | readonly Row[]): table is readonly Row[] {
  return Array.isArray(table);
}

/**
 * The columns of the rows, then those that only `generate` has. The type of the latter is unknown, since their values
 * are.
 */
function columnsOfRows({ rows = [], generate }: TableInput): readonly Column[] {
  const inferred = inferColumns(rows);
  const known = new Set(inferred.map(({ name }) => name));
  const generated = Object.keys(generate?.row ?? {}).filter((name) => !known.has(name));
  return [...inferred, ...generated.map((name) => plainColumn(name, "ANY"))];
}

/** The given key, else `id`. Whether its columns exist is checked with the whole schema. */
function keyOf(given: TableInput["primaryKey"], columns: readonly Column[]): readonly string[] {
  if (given !== undefined) return typeof given === "string" ? [given] : given;
  return columns.some(({ name }) => name === "id") ? ["id"] : [];
}

type Columns = NonNullable<TableInput["columns"]>;

/** The columns of a table that lists them, without references: those need all tables. */
export function readColumns(given: Columns, path: JsonPath, findings: Findings): readonly Column[] {
  if (Object.keys(given).length === 0) {
    const message = `"columns" must not be empty. Leave it out to take the columns of the rows.`;
    findings.report(path, message);
  }
  return Object.entries(given).map(([name, column]) => {
    if (typeof column === "string") return plainColumn(name, column);
    refuseRewritten(column.default, [...path, name, "default"], findings);
    const { type = "ANY", notNull = false, unique = false, collate = "BINARY" } = column;
    const fallback = defaultOf(column);
    return { ...plainColumn(name, type), notNull, unique, collate, default: fallback };
  });
}

function defaultOf({ default: value, defaultTime }: ColumnInput): Column["default"] {
  if (defaultTime === undefined) return value;
  return isTimeFormat(defaultTime) ? new CurrentTime(defaultTime) : undefined;
}

/** All tables of the document, including those that could not be read. */
type KnownTable = (name: string) => boolean;

/** Adds the references (`"users.id"`) to the columns of all tables. */
export function linkTables(
  plans: readonly TablePlan[],
  findings: Findings,
  isBroken: KnownTable,
): readonly TablePlan[] {
  const names = plans.map(({ schema }) => schema.name);
  return plans.map((plan) => {
    const columns = plan.schema.columns.map((column): Column => {
      const given = plan.given.columns?.[column.name];
      const written = typeof given === "object" ? given.references : undefined;
      if (written === undefined) return column;
      const { column: text, ...actions } =
        typeof written === "string" ? { column: written } : written;
      const references = splitReference(text, names);
      if (references === undefined) {
        const path = [...plan.path, "columns", column.name, "references"];
        const message = `"references" must be a table and its column, such as "users.id", but is ${showText(text)}.`;
        findings.report(typeof written === "string" ? path : [...path, "column"], message);
        return column;
      }
      if (isBroken(references.table)) return column;
      return { ...column, references: { ...references, ...actions } };
    });
    return { ...plan, schema: { ...plan.schema, columns } };
  });
}

/** Splits `users.id` at the dot. Since names may contain dots, the dot counts that follows the name of a table. */
function splitReference(text: string, tables: readonly string[]): ColumnReference | undefined {
  const dots = [...text.matchAll(/\./g)].map(({ index }) => index);
  const dot = dots.find((index) => tables.includes(text.slice(0, index))) ?? dots.at(-1);
  if (dot === undefined || dot === 0 || dot === text.length - 1) return undefined;
  return { table: text.slice(0, dot), column: text.slice(dot + 1) };
}

/**
 * The tables with consistent schemas; the others are reported. Rows are not checked against a wrong schema, nor
 * against a reference to one.
 */
export function validTables(plans: readonly TablePlan[], findings: Findings): readonly TablePlan[] {
  const all = plans.map(({ schema }) => schema);
  // The tables of a dump were checked while it was read.
  const sound = plans.filter((plan) => plan.asStored === true || isSound(plan, { all, findings }));
  if (sound.length === plans.length) return plans;
  const names = new Set(sound.map(({ schema }) => schema.name));
  return sound.map((plan) => {
    const columns = plan.schema.columns.map((column) =>
      names.has(column.references?.table ?? "") ? column : { ...column, references: undefined },
    );
    const foreignKeys = plan.schema.foreignKeys?.filter(({ to }) => names.has(to.table)) ?? [];
    return { ...plan, schema: { ...plan.schema, columns, foreignKeys } };
  });
}

interface Context {
  readonly all: readonly TableSchema[];
  readonly findings: Findings;
}

/** Checks the aspects of a schema one by one, so that the place of a problem is known. */
function isSound({ schema, given, path }: TablePlan, context: Context): boolean {
  let sound = true;
  const { columns } = schema;
  const plain = columns.map((column): Column => ({
    ...column,
    default: undefined,
    references: undefined,
  }));
  const look = (aspect: TableSchema, place: (column: string) => JsonPath): void => {
    const others = context.all.filter(({ name }) => name !== schema.name);
    for (const { message, columns: at } of schemaViolations(
      aspect,
      [aspect, ...others],
      strictStorage,
    )) {
      context.findings.report([...path, ...place(at[0] ?? "")], message);
      sound = false;
    }
  };
  const { primaryKey } = given;
  look({ ...schema, columns: plain, foreignKeys: [] }, (column) => [
    "primaryKey",
    ...(Array.isArray(primaryKey) ? [primaryKey.lastIndexOf(column)] : []),
  ]);
  look({ ...schema, columns: plain, primaryKey: [] }, () => ["foreignKeys"]);
  const names = columns.map(({ name }) => name);
  for (const [at, parts] of (given.unique ?? []).entries()) {
    const unknown = parts.find((part) => !names.includes(part));
    if (unknown === undefined) continue;
    const message = `There is no column ${showText(unknown)}.${didYouMean(unknown, names)}`;
    context.findings.report([...path, "unique", at, parts.indexOf(unknown)], message);
    sound = false;
  }
  for (const [index, column] of columns.entries()) {
    const only = (part: Partial<Column>): TableSchema => ({
      ...schema,
      columns: plain.with(index, { ...column, ...part }),
      primaryKey: [],
      foreignKeys: [],
    });
    // Each look visits all columns, and there may be thousands.
    if (column.default !== undefined) {
      look(only({ references: undefined }), (name) => ["columns", name, "default"]);
    }
    if (column.references !== undefined) {
      look(only({ default: undefined }), (name) => ["columns", name, "references"]);
    }
  }
  return sound;
}
