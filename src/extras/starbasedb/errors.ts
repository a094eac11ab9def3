import { type Reply, jsonReply } from "../../core/http/reply.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import type { Violation } from "../../core/store/violation.ts";
import { integerKey } from "./columns.ts";
import { uniqueConstraints } from "./indexes.ts";
import { wordKind } from "./words.ts";

/** A failure in the format of the service. */
export function serviceError(status: number, error: string): Reply {
  return { answeredBy: error, ...jsonReply(status, { error }) };
}

const failures = {
  GET: "Failed to retrieve data",
  PUT: "Failed to replace resource",
  PATCH: "Failed to update resource",
  DELETE: "Failed to delete resource",
} as const;

/** The reply when SQLite refuses a statement other than an insert, by method. */
export function failedReply(method: keyof typeof failures): Reply {
  return serviceError(500, failures[method]);
}

const sqliteCodes = {
  error: "SQLITE_ERROR",
  denied: "SQLITE_AUTH",
  constraint: "SQLITE_CONSTRAINT",
  mismatch: "SQLITE_MISMATCH",
  tooBig: "SQLITE_TOOBIG",
  full: "SQLITE_FULL",
} as const;

/** An error of SQLite that the service passes on. */
export function sqliteReply(message: string, code: keyof typeof sqliteCodes = "error"): Reply {
  return serviceError(500, `${message}: ${sqliteCodes[code]}`);
}

/** A word that the service writes into its statement as a name, and the token after it. */
export interface NamePlace {
  readonly word: string;
  readonly offset: number;
  readonly next: string;
  readonly nextOffset: number;
}

/** The message of SQLite's parser about a word that cannot be a name, with its place in the statement. */
export function nameError({ word, offset, next, nextOffset }: NamePlace): string {
  const kind = wordKind(word);
  if (kind === "illegal") return `unrecognized token: "${word}" at offset ${offset}`;
  const [token, place] = kind === "empty" ? [next, nextOffset] : [word, offset];
  return `near "${token}": syntax error at offset ${place}`;
}

const encoder = new TextEncoder();

/** The reply to an uncaught exception. Its body is bytes, since `Response` would add a content type to a text. */
export function uncaughtReply(reason: string): Reply {
  return {
    status: 500,
    headers: {},
    body: { kind: "bytes", bytes: encoder.encode("Internal Server Error") },
    answeredBy: `uncaught: ${reason}`,
  };
}

/**
 * SQLite's message for an insert that breaks rules. It names the first in this order: an invalid row id, NULL by the
 * order of columns, checks, a duplicate row id, unique values by index from the newest to the oldest, and references
 * last.
 */
export function constraintReply(schema: TableSchema, violations: readonly Violation[]): Reply {
  const kinds = new Set(violations.map(({ kind }) => kind));
  if (kinds.has("no-row-id")) return sqliteReply("datatype mismatch", "mismatch");
  const missing = new Set(
    violations.flatMap(({ kind, columns }) => (kind === "not-null" ? columns : [])),
  );
  const first = schema.columns.find(({ name }) => missing.has(name));
  if (first !== undefined) return failed("NOT NULL", schema, [first.name]);
  const check = violations.find(({ constraint }) => constraint !== undefined)?.constraint;
  if (check !== undefined) return sqliteReply(`CHECK constraint failed: ${check}`, "constraint");
  const taken = violations.filter(({ kind }) => kind === "unique").map(({ columns }) => columns);
  const named = firstTaken(schema, taken);
  if (named !== undefined) return failed("UNIQUE", schema, named);
  const isForeignKey = violations.some(({ kind }) => kind === "reference-missing");
  // SQLite's nearest term for a refusal by a collection's own schema is a check.
  const text = isForeignKey
    ? "FOREIGN KEY constraint failed"
    : `CHECK constraint failed: ${schema.name}`;
  return sqliteReply(text, "constraint");
}

function failed(rule: string, { name }: TableSchema, columns: readonly string[]): Reply {
  const names = columns.map((column) => `${name}.${column}`).join(", ");
  return sqliteReply(`${rule} constraint failed: ${names}`, "constraint");
}

type Columns = readonly string[];

function firstTaken(schema: TableSchema, taken: readonly Columns[]): Columns | undefined {
  const known = uniqueConstraints(schema).toReversed();
  const isSame = (left: Columns, right: Columns): boolean =>
    left.length === right.length && left.every((name, index) => name === right[index]);
  // A key without an index is the row id, which is checked first even if it is also UNIQUE.
  const key = integerKey(schema);
  const rowId = taken.find(
    (columns) =>
      (columns.length === 1 && columns[0] === key) || !known.some((one) => isSame(one, columns)),
  );
  return rowId ?? known.find((index) => taken.some((columns) => isSame(index, columns)));
}
