import { affinity } from "../../src/core/store/column-kinds.ts";
import { type Column, CurrentTime, type TableSchema } from "../../src/core/store/schema.ts";
import { sqliteStorage } from "../../src/core/store/storage-rules.ts";
import { tableLayout } from "../../src/core/store/table-layout.ts";
import { conditionSql } from "../support/filter-sql.ts";
import type { FuzzQuery, GivenCells, WriteStep } from "./fuzz-case.ts";
import { cellOf, literal, quoted, type SqlCell } from "./sql-cell.ts";

/** The name of the row id where it is no column. */
export function hiddenRowId(schema: TableSchema): string | undefined {
  const { isRowId, rowIdColumn } = tableLayout(schema, sqliteStorage);
  return rowIdColumn === undefined && isRowId("rowid") ? "rowid" : undefined;
}

/** The statements that make the table and its indexes. */
export function createSql(schema: TableSchema): readonly string[] {
  const { name, columns, primaryKey, indexes = [], withoutRowId = false } = schema;
  const keys = primaryKey.map(quoted).join(", ");
  const parts = columns.map((column) => columnSql(column, schema));
  if (primaryKey.length > 1) parts.push(`PRIMARY KEY (${keys})`);
  for (const { columns: from, to } of schema.foreignKeys ?? []) {
    parts.push(
      `FOREIGN KEY (${from.map(quoted).join(", ")}) ${referenceSql(to.table, to.columns)}`,
    );
  }
  const table = `CREATE TABLE ${quoted(name)} (${parts.join(", ")})${withoutRowId ? " WITHOUT ROWID" : ""}`;
  return [
    table,
    ...indexes.map((index, at) => {
      const list = index.columns.map(
        (column) =>
          `${quoted(column.name)} COLLATE ${column.collate}${column.descending ? " DESC" : ""}`,
      );
      const kind = index.unique ? "UNIQUE INDEX" : "INDEX";
      return `CREATE ${kind} i${at} ON ${quoted(name)} (${list.join(", ")})`;
    }),
  ];
}

function columnSql(column: Column, { primaryKey, autoIncrement }: TableSchema): string {
  const isKey = primaryKey.length === 1 && primaryKey[0] === column.name;
  const { default: value = null, references } = column;
  return [
    quoted(column.name),
    column.type,
    isKey ? "PRIMARY KEY" : "",
    isKey && autoIncrement === true ? "AUTOINCREMENT" : "",
    column.notNull ? "NOT NULL" : "",
    column.unique ? "UNIQUE" : "",
    column.collate === "BINARY" ? "" : `COLLATE ${column.collate}`,
    value === null || value instanceof CurrentTime
      ? ""
      : `DEFAULT (${literal(cellOf(value, affinity("")))})`,
    references === undefined ? "" : referenceSql(references.table, [references.column]),
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function referenceSql(table: string, columns: readonly string[]): string {
  return `REFERENCES ${quoted(table)} (${columns.map(quoted).join(", ")})`;
}

/** The statement that writes what a step does. */
export function writeSql(schema: TableSchema, step: WriteStep): string {
  const table = quoted(schema.name);
  switch (step.kind) {
    case "insert":
      return insertSql(schema, step.given);
    case "delete":
      return `DELETE FROM ${table} WHERE ${keySql(schema, step.key)}`;
    case "update":
      return `UPDATE ${table} SET ${setSql(step.given)} WHERE ${keySql(schema, step.key)}`;
    case "replace": {
      const all = { ...defaultsOf(schema), ...step.given };
      return `UPDATE ${table} SET ${setSql(all)} WHERE ${keySql(schema, step.key)}`;
    }
  }
}

function insertSql({ name }: TableSchema, given: GivenCells): string {
  const names = Object.keys(given);
  if (names.length === 0) return `INSERT INTO ${quoted(name)} DEFAULT VALUES`;
  const values = names.map((column) => literal(given[column] ?? null));
  return `INSERT INTO ${quoted(name)} (${names.map(quoted).join(", ")}) VALUES (${values.join(", ")})`;
}

function setSql(given: GivenCells): string {
  return Object.keys(given)
    .map((column) => `${quoted(column)} = ${literal(given[column] ?? null)}`)
    .join(", ");
}

/** What the columns outside the key get when a row is replaced. */
function defaultsOf({ columns, primaryKey }: TableSchema): GivenCells {
  return Object.fromEntries(
    columns
      .filter(({ name }) => !primaryKey.includes(name))
      .map(({ name, default: value = null }) => [
        name,
        value instanceof CurrentTime ? null : cellOf(value, affinity("")),
      ]),
  );
}

function keySql({ primaryKey }: TableSchema, key: readonly SqlCell[]): string {
  return primaryKey
    .map((name, at) => `${quoted(name)} = ${literal(key[at] ?? null)}`)
    .join(" AND ");
}

/** A query as the service writes it, and what is bound in it. */
export interface SelectSql {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

export function selectSql(schema: TableSchema, query: FuzzQuery): SelectSql {
  const { where, limit, offset } = query;
  const values: (string | number)[] = [];
  const bind = (value: string | number): string => {
    values.push(value);
    return "?";
  };
  const conditions = where.map((one) => conditionSql(columnSqlName(one.column), one, bind));
  const order = orderSql(schema, query);
  const parts = [
    `SELECT * FROM ${quoted(schema.name)}`,
    conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`,
    order.length === 0 ? "" : `ORDER BY ${order.join(", ")}`,
    limit === undefined ? "" : `LIMIT ${bind(limit)}`,
    offset === undefined ? "" : `OFFSET ${bind(offset)}`,
  ];
  return { sql: parts.filter((part) => part !== "").join(" "), values };
}

/** The same rows whole and in the order of the sort, each with the number of those that it is equal to before it. */
export function ranksSql(schema: TableSchema, query: FuzzQuery): SelectSql {
  const { sql, values } = selectSql(schema, { ...query, limit: undefined, offset: undefined });
  const order = orderSql(schema, query).join(", ");
  const ranked = `SELECT *, dense_rank() OVER (ORDER BY ${order})`;
  return { sql: sql.replace("SELECT *", () => ranked), values };
}

/** Quoted names that no column has are texts to SQLite. */
function columnSqlName(name: string): string {
  return name === "rowid" ? name : quoted(name);
}

function orderSql(schema: TableSchema, { sort, ties }: FuzzQuery): readonly string[] {
  const keys = sort.map(
    ({ column, descending }) => `${columnSqlName(column)}${descending ? " DESC" : ""}`,
  );
  if (ties === "as planned" || ties === "any") return keys;
  if (schema.withoutRowId === true) return [...keys, ...schema.primaryKey.map(quoted)];
  return [...keys, `_rowid_${ties === "descending" ? " DESC" : ""}`];
}
