import { type GenerateInput, type TableInput, tableSchema } from "../format/table-format.ts";
import { isObject, type JsonPath } from "../../schema/json.ts";
import type { Row } from "../../store/value.ts";
import type { TableContents } from "../../store/database.ts";
import { type Column, inferColumns, plainColumn, type TableSchema } from "../../store/schema.ts";
import { showText, showValue } from "../../errors/show.ts";
import { check } from "../../schema/schema.ts";
import type { Findings } from "../../schema/findings.ts";
import { refuseRewritten } from "../json/json-copy.ts";
import { strictStorage } from "../../store/storage-rules.ts";
import { schemaViolations } from "../../store/schema-check.ts";

/** A table before its rows are loaded. */
export interface TablePlan extends TableContents {
  readonly schema: TableSchema;
  /** The table as it is written. */
  readonly given: TableInput;
  readonly rows: readonly Row[];
  readonly generate: GenerateInput | undefined;
  /** Where the table is in the document, and where its rows are. */
  readonly path: JsonPath;
  readonly rowsPath: JsonPath;
}

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

type Columns = NonNullable<TableInput["columns"]>;

/** The columns of a table that lists them, without their references: those need all tables. */
export function readColumns(given: Columns, path: JsonPath, findings: Findings): readonly Column[] {
  if (Object.keys(given).length === 0) {
    const message = `"columns" must not be empty. Leave it out, and the columns are those of the rows.`;
    findings.report(path, message);
  }
  return Object.entries(given).map(([name, column]) => {
    if (typeof column === "string") return plainColumn(name, column);
    refuseRewritten(column.default, [...path, name, "default"], findings);
    const { type = "ANY", notNull = false, unique = false, collate = "BINARY" } = column;
    return { ...plainColumn(name, type), notNull, unique, collate, default: column.default };
  });
}

/** Tables that the document has, those included that could not be read. */
type KnownTable = (name: string) => boolean;

/** Gives the columns of all tables their references (`"users.id"`). */
export function linkTables(
  plans: readonly TablePlan[],
  findings: Findings,
  isBroken: KnownTable,
): readonly TablePlan[] {
  const names = plans.map(({ schema }) => schema.name);
  return plans.map((plan) => {
    const columns = plan.schema.columns.map((column): Column => {
      const given = plan.given.columns?.[column.name];
      const text = typeof given === "object" ? given.references : undefined;
      if (text === undefined) return column;
      const references = splitReference(text, names);
      if (references === undefined) {
        const path = [...plan.path, "columns", column.name, "references"];
        const message = `"references" must be a table and its column, such as "users.id", but is ${showText(text)}.`;
        findings.report(path, message);
        return column;
      }
      return isBroken(references.table) ? column : { ...column, references };
    });
    return { ...plan, schema: { ...plan.schema, columns } };
  });
}

/** Names may have dots, so the dot is where it leaves the name of a table in front of it. */
function splitReference(
  text: string,
  tables: readonly string[],
): Exclude<Column["references"], undefined> | undefined {
  const dots = [...text.matchAll(/\./g)].map(({ index }) => index);
  const dot = dots.find((index) => tables.includes(text.slice(0, index))) ?? dots.at(-1);
  if (dot === undefined || dot === 0 || dot === text.length - 1) return undefined;
  return { table: text.slice(0, dot), column: text.slice(dot + 1) };
}

/**
 * The tables whose schemas do not contradict themselves; the others are reported. Rows are not judged by a
 * schema that is wrong, nor by a reference to one.
 */
export function soundTables(plans: readonly TablePlan[], findings: Findings): readonly TablePlan[] {
  const all = plans.map(({ schema }) => schema);
  // What is wrong with the tables of a dump was found while it was read.
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

/** Looks at one aspect of the schema at a time, so that it is known where it is written. */
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
  look({ ...schema, columns: plain }, (column) => [
    "primaryKey",
    ...(Array.isArray(primaryKey) ? [primaryKey.lastIndexOf(column)] : []),
  ]);
  for (const [index, column] of columns.entries()) {
    const only = (part: Partial<Column>): TableSchema => ({
      ...schema,
      columns: plain.with(index, { ...column, ...part }),
      primaryKey: [],
    });
    look(only({ references: undefined }), (name) => ["columns", name, "default"]);
    look(only({ default: undefined }), (name) => ["columns", name, "references"]);
  }
  return sound;
}
