import type { ReplyHeaders } from "../../http/reply.ts";
import { showText } from "../../errors/show.ts";
import type { Violation, ViolationKind } from "../../store/violation.ts";

/** Why a request is refused, for programs to switch on, and the status that it gets. */
export const tablesErrorStatuses = {
  /** The bearer token is missing or wrong. */
  unauthorized: 401,
  /** A percent escape in the path cannot be decoded. */
  invalid_path: 400,
  /** The path names no table, or continues after the key. */
  unknown_path: 404,
  unknown_table: 404,
  method_not_allowed: 405,
  /** The path has a key, but the table has no primary key. */
  no_primary_key: 400,
  /** PUT, PATCH or DELETE of a table without the key of a row. */
  missing_key: 400,
  /** A composite key with more or fewer values than columns. */
  invalid_key: 400,
  /** A filter, `sort_by` or the body names a column that the table does not have. */
  unknown_column: 400,
  unknown_operator: 400,
  /** The pattern of `like` is too long. */
  invalid_filter: 400,
  invalid_order: 400,
  invalid_limit: 400,
  invalid_offset: 400,
  /** `sort_by`, `order`, `limit` or `offset` is given twice. */
  repeated_parameter: 400,
  /** A write has a query, which would have no effect. */
  unexpected_query: 400,
  unsupported_media_type: 415,
  body_too_large: 413,
  /** The client went away before the body was complete. */
  incomplete_body: 400,
  not_json: 400,
  /** The body is not an object, or does not fit the table's schema. */
  invalid_body: 400,
  /** The body has nothing to write. */
  empty_body: 400,
  /** The key in the body differs from the path's. */
  key_mismatch: 400,
  row_not_found: 404,
  /** A value of the primary key or of a unique column is taken. */
  conflict: 409,
  /** A foreign key refers to a row that does not exist. */
  reference_missing: 409,
  /** Other rows refer to the row. */
  row_referenced: 409,
  /** Neither a cassette nor a table has the answer that strict mode requires. */
  not_recorded: 404,
} as const;

export type TablesErrorCode = keyof typeof tablesErrorStatuses;

/**
 * A hint. A hint that names paths is a function of `root`, the path of the tables in the request, such as `/v1/rest`.
 */
type Hint = string | ((root: string) => string);

export function hintText(hint: Hint, root: string): string {
  return typeof hint === "string" ? hint : hint(root);
}

/** A refusal in plain data, without its envelope. */
export interface TablesFailure {
  readonly code: TablesErrorCode;
  readonly message: string;
  /** A sentence that guesses what the client meant. */
  readonly guess?: string | undefined;
  /** The column that the guess names, if it names one. */
  readonly guessed?: string | undefined;
  /** What to do, or which names are valid. */
  readonly hint?: Hint | undefined;
  readonly headers?: ReplyHeaders | undefined;
  /** The name of the parameter at fault. */
  readonly about?: string | undefined;
}

/** One failure or more. */
export type TablesFailures = readonly [TablesFailure, ...TablesFailure[]];

/** Several failures as one: all messages and hints, and the first code. */
export function joinFailures(
  first: TablesFailure,
  others: readonly TablesFailure[],
): TablesFailure {
  const all = [first, ...others];
  const hints = new Set(all.flatMap(({ hint }) => hint ?? []));
  return {
    code: first.code,
    message: all.map(({ message, guess = "" }) => message + guess).join(" "),
    ...(hints.size === 0
      ? {}
      : { hint: (root) => [...hints].map((hint) => hintText(hint, root)).join(" ") }),
  };
}

/** The failure of addressing a row in a table without a primary key. */
export function noPrimaryKey(table: string): TablesFailure {
  return {
    code: "no_primary_key",
    message: `The table ${showText(table)} has no primary key, so its rows have no paths.`,
    hint: "Find rows by filters.",
  };
}

const mostNames = 40;

/** `Columns: a, b, c.`, shortened for very many. */
export function listNames(what: string, names: readonly string[]): string {
  const more = names.length - mostNames;
  const listed = names.slice(0, mostNames).join(", ") || "none";
  return `${what}: ${listed}${more > 0 ? ` and ${more} more` : ""}.`;
}

/** The codes of writes that break rules. If a write breaks several, the first of these codes counts. */
const violationCodes: readonly (readonly [ViolationKind, TablesErrorCode])[] = [
  ["wrong-type", "invalid_body"],
  ["no-row-id", "invalid_body"],
  ["not-null", "invalid_body"],
  ["check", "invalid_body"],
  ["schema", "invalid_body"],
  ["unknown-column", "unknown_column"],
  ["row-missing", "row_not_found"],
  ["unique", "conflict"],
  ["reference-missing", "reference_missing"],
  ["still-referenced", "row_referenced"],
];

/** A write that the store refused, with every broken rule. `what` is such as `insert into "users"`. */
export function violationFailure(
  what: string,
  violations: readonly Violation[],
  columns: readonly string[],
): TablesFailure {
  const kinds = new Set(violations.map(({ kind }) => kind));
  const code = violationCodes.find(([kind]) => kinds.has(kind))?.[1] ?? "invalid_body";
  return {
    code,
    message: `Cannot ${what}: ${violations.map(({ message }) => message).join(" ")}`,
    ...(kinds.has("unknown-column") ? { hint: listNames("Columns", columns) } : {}),
  };
}
