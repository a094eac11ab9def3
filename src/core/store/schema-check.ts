import { counted, didYouMean, showText, showValue } from "../errors/show.ts";
import { declaredReferences } from "./constraints.ts";
import { type Column, CurrentTime, type TableSchema } from "./schema.ts";
import type { StorageRules } from "./storage-rules.ts";
import { type Reference, schemaViolation, type Violation } from "./violation.ts";

/** The contradictions in a table's schema, given all tables of the database. */
export function schemaViolations(
  schema: TableSchema,
  all: readonly TableSchema[],
  storage: StorageRules,
): readonly Violation[] {
  const names = schema.columns.map(({ name }) => name);
  return [
    ...repeatedTable(schema, all),
    ...repeatedColumns(names),
    ...keyViolations(schema, names),
    ...schema.columns.flatMap((column) => defaultViolation(column, storage)),
    ...declaredReferences(schema).flatMap((reference) => referenceViolation(reference, all)),
  ];
}

function repeatedTable(schema: TableSchema, all: readonly TableSchema[]): readonly Violation[] {
  const first = all.find(({ name }) => name === schema.name);
  if (first === schema) return [];
  return [schemaViolation(`There are two tables ${showText(schema.name)}.`, [])];
}

function repeatedColumns(names: readonly string[]): readonly Violation[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
  }
  return [...repeated].map((name) =>
    schemaViolation(`There are two columns ${showText(name)}.`, [name]),
  );
}

function keyViolations(schema: TableSchema, names: readonly string[]): readonly Violation[] {
  const { primaryKey } = schema;
  // The columns come with the first row.
  const unknown = names.length === 0 ? [] : primaryKey.filter((name) => !names.includes(name));
  const repeated = primaryKey.filter((name, index) => primaryKey.indexOf(name) !== index);
  return [
    ...unknown.map((name) => {
      const message = `The primary key ${showText(name)} is not a column.${didYouMean(name, names)}`;
      return schemaViolation(message, [name]);
    }),
    ...repeated.map((name) =>
      schemaViolation(`The primary key names ${showText(name)} twice.`, [name]),
    ),
  ];
}

function defaultViolation(column: Column, storage: StorageRules): readonly Violation[] {
  const { name, type, default: value } = column;
  if (value === undefined || value === null || value instanceof CurrentTime) return [];
  const fitting = storage.fit(value, storage.kindOf(type));
  if (fitting.ok) return [];
  const message = `The default of column ${showText(name)} must be ${fitting.expected}, not ${showValue(value)}.`;
  return [schemaViolation(message, [name])];
}

function referenceViolation(
  { columns, to }: Reference,
  all: readonly TableSchema[],
): readonly Violation[] {
  const target = all.find((schema) => schema.name === to.table);
  const names = columns.map(showText).join(", ");
  const what = columns.length === 1 ? `Column ${names} refers to` : `Columns ${names} refer to`;
  if (target === undefined) {
    const near = didYouMean(
      to.table,
      all.map((schema) => schema.name),
    );
    const message = `${what} the table ${showText(to.table)}, which does not exist.${near}`;
    return [schemaViolation(message, columns)];
  }
  if (columns.length !== to.columns.length) {
    const message = `${what} ${counted(to.columns.length, "column")} of ${showText(to.table)}, but needs one for each.`;
    return [schemaViolation(message, columns)];
  }
  const valid = target.columns.map((column) => column.name);
  return to.columns
    .filter((name) => !valid.includes(name))
    .map((name) => {
      const near = didYouMean(name, valid);
      const wanted = showText(`${to.table}.${name}`);
      return schemaViolation(`${what} ${wanted}, which does not exist.${near}`, columns);
    });
}
