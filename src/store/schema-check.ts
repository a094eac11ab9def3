import { didYouMean } from "../errors/nearest-name.ts";
import { columnKind } from "./affinity.ts";
import type { FitPolicy } from "./fit.ts";
import { showText, showValue } from "./json-value.ts";
import type { Column, TableSchema } from "./schema.ts";
import { schemaViolation, type Violation } from "./violation.ts";

/** What contradicts itself in a table's schema, given all tables of the database. */
export function schemaViolations(
  schema: TableSchema,
  all: readonly TableSchema[],
  fit: FitPolicy,
): readonly Violation[] {
  const names = schema.columns.map(({ name }) => name);
  return [
    ...repeatedTable(schema, all),
    ...repeatedColumns(names),
    ...keyViolations(schema, names),
    ...schema.columns.flatMap((column) => defaultViolation(column, fit)),
    ...schema.columns.flatMap((column) => referenceViolation(column, all)),
  ];
}

function repeatedTable(schema: TableSchema, all: readonly TableSchema[]): readonly Violation[] {
  const first = all.find(({ name }) => name === schema.name);
  if (first === schema) return [];
  return [schemaViolation(`There are two tables ${showText(schema.name)}.`, [])];
}

function repeatedColumns(names: readonly string[]): readonly Violation[] {
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...repeated].map((name) =>
    schemaViolation(`There are two columns ${showText(name)}.`, [name]),
  );
}

function keyViolations(schema: TableSchema, names: readonly string[]): readonly Violation[] {
  const { primaryKey } = schema;
  const unknown = primaryKey.filter((name) => !names.includes(name));
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

function defaultViolation(column: Column, fit: FitPolicy): readonly Violation[] {
  const { name, type, default: value } = column;
  if (value === undefined || value === null) return [];
  const fitting = fit(value, columnKind(type));
  if (fitting.ok) return [];
  const message = `The default of column ${showText(name)} must be ${fitting.expected}, not ${showValue(value)}.`;
  return [schemaViolation(message, [name])];
}

function referenceViolation(
  { name, references }: Column,
  all: readonly TableSchema[],
): readonly Violation[] {
  if (references === undefined) return [];
  const target = all.find((schema) => schema.name === references.table);
  const what = `Column ${showText(name)} refers to`;
  if (target === undefined) {
    const near = didYouMean(
      references.table,
      all.map((schema) => schema.name),
    );
    const message = `${what} the table ${showText(references.table)}, which does not exist.${near}`;
    return [schemaViolation(message, [name])];
  }
  const columns = target.columns.map((column) => column.name);
  if (columns.includes(references.column)) return [];
  const wanted = showText(`${references.table}.${references.column}`);
  const near = didYouMean(references.column, columns);
  return [schemaViolation(`${what} ${wanted}, which does not exist.${near}`, [name])];
}
