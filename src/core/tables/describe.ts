import type { TablesProfileName } from "./profiles.ts";
import { type TablesOperation, tablesEndpoints } from "./endpoints.ts";
import { tablesErrorStatuses } from "./document/errors.ts";
import type { JsonSchema } from "../schema/schema.ts";
import { columnKind, columnKinds, type ValueShape } from "../store/column-kinds.ts";
import { type Operator, operatorNames, operators } from "../store/operators.ts";
import type { Column, TableSchema } from "../store/schema.ts";
import type { Row, Value } from "../store/value.ts";
import {
  type Described,
  errorResponses,
  type DescribedEndpoint,
  jsonBody,
  jsonResponse,
  component,
  listOf,
  objectOf,
  text,
} from "../schema/openapi.ts";

/** A table that is described. */
export interface DescribedTable {
  readonly schema: TableSchema;
  /** The table's first row, whose values are examples. Undefined: the table is empty. */
  readonly sample: Row | undefined;
}

/** What differs between the profiles. */
interface Dialect {
  readonly order: Described;
  readonly limit: Described;
  readonly offset: Described;
  readonly key: string;
  /** A description of the `data` in the answer to a write. */
  readonly written: string;
  readonly sent: (row: JsonSchema) => JsonSchema;
  /** The values of a column. */
  readonly valueOf: (column: Column) => JsonSchema;
  readonly error: JsonSchema;
  /** The refusals of an operation that can have these statuses. */
  readonly refusals: (statuses: readonly number[]) => Described;
}

const deleted = jsonResponse(
  "The row is gone, or never existed.",
  objectOf({ result: objectOf({ message: text }) }),
);

const readStatuses = [400, 401, 404];
const deleteStatuses = [...readStatuses, 409];
const writeStatuses = [...deleteStatuses, 413, 415];

/** The endpoints of each table in a profile, with the schemas of its rows, and its filters. */
export function describeTables(
  profile: TablesProfileName,
  tables: readonly DescribedTable[],
): readonly DescribedEndpoint[] {
  const dialect = dialects[profile];
  return tables.flatMap((table, at) => describeTable(table, componentName(tables, at), dialect));
}

/** A table's name as component names have it, which allow few characters. */
function componentName(tables: readonly DescribedTable[], at: number): string {
  const nameAt = (place: number): string =>
    (tables[place]?.schema.name ?? "").replaceAll(/[^\w.-]/g, "_");
  const isTaken = tables.slice(0, at).some((_, place) => nameAt(place) === nameAt(at));
  return isTaken ? `${nameAt(at)}_${at + 1}` : nameAt(at);
}

function describeTable(
  table: DescribedTable,
  name: string,
  dialect: Dialect,
): readonly DescribedEndpoint[] {
  const { schema } = table;
  const operations = operationsOf(schema, name, dialect);
  const key = keyParameter(table, dialect);
  const schemas = {
    TablesError: dialect.error,
    [`${name}Row`]: rowSchema(schema, dialect),
    [`${name}Draft`]: draftSchema(schema, dialect),
    [`${name}Changes`]: changesSchema(schema, dialect),
  };
  return tablesEndpoints.map(({ method, path, operation }) => ({
    method,
    path: path.replace("{table}", () => encodeURIComponent(schema.name)),
    parameters: path.endsWith("{key}") ? [key] : [],
    operation: operations[operation],
    schemas,
  }));
}

/** The operations of a table. `name` begins the names of the table's components. */
function operationsOf(
  schema: TableSchema,
  name: string,
  dialect: Dialect,
): Readonly<Record<TablesOperation, Described>> {
  const { refusals } = dialect;
  const row = component(`${name}Row`);
  const found = jsonResponse("The matching rows.", objectOf({ result: listOf(row) }));
  const written = jsonResponse(
    dialect.written,
    objectOf({ result: objectOf({ message: text, "data?": dialect.sent(row) }) }),
  );
  const parameters = [...queryParameters(dialect), ...filterParameters(schema, dialect)];
  const read = { parameters, responses: { 200: found, ...refusals(readStatuses) } };
  const write = (body: string, status: number): Described => ({
    requestBody: jsonBody(component(`${name}${body}`)),
    responses: { [status]: written, ...refusals(writeStatuses) },
  });
  const remove = { responses: { 200: deleted, ...refusals(deleteStatuses) } };
  const summary = (operation: TablesOperation, what: string): Described => ({
    operationId: `${operation}_${name}`,
    summary: `${what} of ${schema.name}`,
  });
  return {
    find: { ...summary("find", "Finds rows"), ...read },
    insert: { ...summary("insert", "Inserts a row"), ...write("Draft", 201) },
    get: { ...summary("get", "Finds a row by its key"), ...read },
    replace: { ...summary("replace", "Replaces a row"), ...write("Draft", 200) },
    update: { ...summary("update", "Changes some columns of a row"), ...write("Changes", 200) },
    delete: { ...summary("delete", "Deletes a row"), ...remove },
  };
}

/** The key in a path, with the key of the first row as its example. */
function keyParameter({ schema, sample }: DescribedTable, dialect: Dialect): Described {
  const key = schema.primaryKey.map((name) => sample?.[name] ?? 1);
  const isSingle = key.length < 2;
  const [sole] = schema.columns.filter(({ name }) => schema.primaryKey[0] === name);
  return {
    name: "key",
    in: "path",
    required: true,
    description: dialect.key,
    schema: isSingle && sole !== undefined ? dialect.valueOf(sole) : text,
    example: isSingle ? (key[0] ?? 1) : key.map(keyText).join(","),
  };
}

function keyText(value: Value): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A row as replies have it. */
function rowSchema({ name, columns, primaryKey }: TableSchema, dialect: Dialect): JsonSchema {
  const schema = objectOf(
    Object.fromEntries(
      columns.map((column) => [
        column.name,
        primaryKey.includes(column.name) ? dialect.valueOf(column) : nullableIn(column, dialect),
      ]),
    ),
  );
  return { ...schema, description: `A row of ${name}.` };
}

/** A row as clients send it to insert or replace one. */
function draftSchema(schema: TableSchema, dialect: Dialect): JsonSchema {
  const properties = schema.columns.map((column) => {
    const isGiven = column.notNull && column.default === undefined;
    const isKey = schema.primaryKey.includes(column.name);
    return [`${column.name}${isGiven && !isKey ? "" : "?"}`, nullableIn(column, dialect)] as const;
  });
  return {
    ...objectOf(Object.fromEntries(properties)),
    description: `A new row of ${schema.name}. Columns left out get their default, else null.`,
  };
}

function changesSchema({ name, columns }: TableSchema, dialect: Dialect): JsonSchema {
  const properties = columns.map(
    (column) => [`${column.name}?`, nullableIn(column, dialect)] as const,
  );
  return {
    ...objectOf(Object.fromEntries(properties)),
    description: `Columns of ${name} to change.`,
  };
}

function nullableIn(column: Column, dialect: Dialect): JsonSchema {
  const value = dialect.valueOf(column);
  const { type } = value;
  if (type === undefined || column.notNull) return value;
  return { ...value, type: [...(Array.isArray(type) ? type : [type]), "null"] };
}

/** The JSON types of each shape of values. Undefined: any. */
const jsonTypes: Readonly<Record<ValueShape, JsonSchema>> = {
  integer: { type: "integer" },
  double: { type: "number" },
  decimal: { type: ["number", "string"] },
  text: { type: "string" },
  // 0 and 1 can also stand for false and true.
  boolean: { type: ["boolean", "integer"] },
  json: {},
  any: {},
};

/** A parameter for each column and each operator. */
function filterParameters({ columns }: TableSchema, { valueOf }: Dialect): readonly Described[] {
  const given = new Set(["sort_by", "order", "limit", "offset"]);
  return columns.flatMap((column) => {
    const plain = given.has(column.name)
      ? []
      : [{ name: column.name, in: "query", schema: valueOf(column) }];
    const others = operatorNames.map((operator) => ({
      name: `${column.name}.${operator}`,
      in: "query",
      ...operandOf(column, operator, valueOf),
    }));
    return [...plain, ...others];
  });
}

function operandOf(column: Column, operator: Operator, valueOf: Dialect["valueOf"]): Described {
  switch (operators[operator].takes) {
    case "value":
      return { schema: valueOf(column) };
    case "pattern":
      return { schema: text };
    case "list":
      return { style: "form", explode: false, schema: listOf(valueOf(column)) };
  }
}

/** The parameters that sort and page rows. */
function queryParameters({
  order,
  limit,
  offset,
}: Pick<Dialect, "order" | "limit" | "offset">): readonly Described[] {
  const sortBy = "The column to sort by. Default: row id order.";
  return [
    { name: "sort_by", in: "query", description: sortBy, schema: text },
    { name: "order", in: "query", ...order },
    { name: "limit", in: "query", ...limit },
    { name: "offset", in: "query", ...offset },
  ];
}

function codesWith(status: number): string {
  const codes = Object.entries(tablesErrorStatuses).filter(([, one]) => one === status);
  return `${codes.map(([code]) => `\`${code}\``).join(", ")}.`;
}

const dialects: Readonly<Record<TablesProfileName, Dialect>> = {
  document: {
    order: {
      description: "Case does not matter. Without `sort_by` it applies to the primary key.",
      schema: { type: "string", pattern: "^(?:[Aa][Ss][Cc]|[Dd][Ee][Ss][Cc])$" },
    },
    limit: {
      description: "The largest number of rows to return.",
      schema: { type: "integer", minimum: 0 },
    },
    offset: { description: "The number of rows to skip.", schema: { type: "integer", minimum: 0 } },
    key: "The primary key. A key of several columns is their values in key order, joined by commas.",
    written: "The row as stored.",
    sent: (row) => row,
    valueOf: ({ type }) => jsonTypes[columnKinds[columnKind(type)].shape],
    error: objectOf({
      error: text,
      code: text,
      "hint?": { ...text, description: "What to do, or which names are valid." },
    }),
    refusals: (statuses) =>
      errorResponses(
        Object.fromEntries(statuses.map((status) => [status, codesWith(status)])),
        component("TablesError"),
      ),
  },
  starbasedb: {
    order: {
      description: "`desc` in any case; everything else is ascending. No effect without `sort_by`.",
      schema: text,
    },
    limit: {
      description: "How many rows at most. 0, or text that is not a number, means all.",
      schema: text,
    },
    offset: { description: "How many rows are skipped; needs a `limit`.", schema: text },
    key: "The primary key, which has one column. It is not percent-decoded.",
    written: "The body as sent.",
    sent: () => ({ type: "object", additionalProperties: true }),
    // SQLite keeps any value in any column.
    valueOf: () => ({}),
    error: objectOf({ error: text }),
    refusals: () => ({
      ...errorResponses(
        {
          400: "The path names no table or no key, the table has no primary key, or the body is empty.",
          401: "The token is missing or wrong.",
        },
        component("TablesError"),
      ),
      // The service sends its own errors as plain text, and errors of its database as JSON.
      500: {
        description:
          "The statement failed: no such table or column, a constraint, a body that is not valid JSON.",
        content: {
          "application/json": { schema: component("TablesError") },
          "text/plain": { schema: text },
        },
      },
    }),
  },
};
