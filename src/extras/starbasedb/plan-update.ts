import type { GivenRow } from "../../core/store/row-draft.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import type { Table } from "../../core/store/table.ts";
import type { Value } from "../../core/store/value.ts";
import { answered, type Plan, type TablesRequest } from "../../core/rest/plan.ts";
import { bindValues } from "./bind.ts";
import { type BodyObject, isBodyObject } from "./body.ts";
import { findColumn, keyColumns } from "./columns.ts";
import { errorReply, failedReply } from "./errors.ts";
import { findTable } from "./find-table.ts";
import { findKey, type KeyValues, rowTarget } from "./key.ts";
import { isTooBig, mostValues } from "./limits.ts";
import type { StatementTarget } from "./path.ts";
import { refusePragma } from "./pragma.ts";
import { isName, sanitize } from "./words.ts";

/** What a request to change a row has besides its path. */
interface ChangeRequest {
  readonly operation: "replace" | "update";
  readonly body: unknown;
}

/**
 * Plans a PUT or a PATCH, which both come to `UPDATE table SET a = ?, b = ? WHERE key = ?`. A PUT sets the key too
 * where the body has it.
 */
export function planUpdate(
  { database }: TablesRequest,
  { name, key }: StatementTarget,
  { operation, body }: ChangeRequest,
): Plan {
  const refused = refusePragma(name);
  if (refused !== undefined) return answered(refused);
  const table = findTable(database, name);
  const columns = table === undefined ? [] : keyColumns(table.schema);
  const found = keyOfChange(columns, key, body);
  if (!found.ok) return answered(errorReply(found.status, found.error));
  if (!isBodyObject(body)) return answered(errorReply(400, "Invalid data format"));
  if (Object.keys(body).length === 0) return answered(errorReply(400, "No data provided"));
  const isSet = (sent: string): boolean => operation === "replace" || !columns.includes(sent);
  const set = Object.keys(body).filter(isSet);
  if (set.length === 0) return answered(errorReply(400, "No updatable data provided"));
  return (
    planChange(table, found.values, { name, operation, body, set }) ??
    answered(failedReply(operation))
  );
}

type FoundKey =
  | Extract<KeyValues, { ok: true }>
  | { readonly ok: false; readonly status: number; readonly error: string };

/** The key in the path, else in the body, of which nothing is known yet but that it is JSON. */
function keyOfChange(
  columns: readonly string[],
  inPath: string | undefined,
  body: unknown,
): FoundKey {
  const [first] = columns;
  const isInPath = columns.length === 1 && inPath !== undefined;
  if (body === null && first !== undefined && !isInPath) {
    return { ok: false, status: 500, error: `Cannot read properties of null (reading '${first}')` };
  }
  const found = findKey(columns, inPath, (column) => Reflect.get(Object(body), column));
  if (found.ok) return found;
  return { ok: false, status: 400, error: `Missing primary key value for '${found.missing}'` };
}

interface Change extends Pick<ChangeRequest, "operation"> {
  readonly name: string;
  readonly body: BodyObject;
  /** The keys of the body that are set. */
  readonly set: readonly string[];
}

/** Undefined when SQLite refuses the statement. */
function planChange(
  table: Table | undefined,
  key: ReadonlyMap<string, unknown>,
  { name, operation, body, set }: Change,
): Plan | undefined {
  const target = table === undefined || !isName(name) ? undefined : rowTarget(table.schema, key);
  const bound = bindValues(set.map((column) => body[column]));
  if (table === undefined || target === undefined || !bound.ok) return undefined;
  if (set.length + key.size > mostValues || isTooBig(bound.values)) return undefined;
  const changes = readChanges(table.schema, set.map(sanitize), bound.values);
  if (changes === undefined) return undefined;
  const change = { kind: "update", target, changes } as const;
  return { kind: "write", table, name, operation, change, sent: body };
}

/** Of a column that is named twice the last value counts. */
function readChanges(
  schema: TableSchema,
  words: readonly string[],
  values: readonly Value[],
): GivenRow | undefined {
  const changes: (readonly [string, Value])[] = [];
  for (const [index, word] of words.entries()) {
    const column = isName(word) ? findColumn(schema, word) : undefined;
    if (column === undefined) return undefined;
    changes.push([column, values[index] ?? null]);
  }
  return Object.fromEntries(changes);
}
