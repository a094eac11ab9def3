import { decodedPart } from "../../http/url-parts.ts";
import { didYouMean, showText } from "../../errors/show.ts";
import { type Result, failed, ok } from "../../errors/result.ts";
import type { Call } from "../../http/call.ts";
import { isJsonType, readJsonBody } from "../../http/json-body.ts";
import type { JsonRow } from "../../store/value.ts";
import { filledPieces } from "../parameters.ts";
import { type TablesFailure, noPrimaryKey } from "./errors.ts";

/** A primary key in the path. */
export interface PathKey {
  /** The whole key, decoded. */
  readonly whole: string;
  /** The key as in the path: raw commas separate the values of a composite key. */
  readonly raw: string;
}

/** The target of a path: a table, or one of its rows. */
export interface Target {
  readonly table: string;
  readonly key: PathKey | undefined;
}

/**
 * Reads the part of the path after `/rest`: `/users` or `/users/5`. Segments are percent-decoded; empty ones, as
 * after a trailing slash, are ignored.
 */
export function readTarget(path: string): Result<Target, TablesFailure> {
  const segments = filledPieces(path, "/");
  const [table, key] = segments;
  if (table === undefined) {
    const message = "The path names no table.";
    return failed({ code: "unknown_path", message, hint: (root) => `Use ${root}/{table}.` });
  }
  if (segments.length > 2) {
    const rest = `/${segments.slice(2).join("/")}`;
    const message = `The path goes on after the primary key, with ${showText(rest)}.`;
    return failed({ code: "unknown_path", message, hint: hintOfPaths });
  }
  const name = decodeSegment(table);
  const whole = key === undefined ? "" : decodeSegment(key);
  if (name === undefined || whole === undefined) return undecodable(path);
  return ok({ table: name, key: key === undefined ? undefined : { whole, raw: key } });
}

function hintOfPaths(root: string): string {
  return `Use ${root}/{table} or ${root}/{table}/{pk}; write a slash within a key as %2F.`;
}

/**
 * The values of a composite key. Each part can be decoded: the whole key was decoded before, and no escape contains a
 * comma.
 */
export function keyParts({ raw }: PathKey): readonly string[] {
  return raw.split(",").map((part) => decodeSegment(part) ?? part);
}

function undecodable(path: string): Result<Target, TablesFailure> {
  return failed({
    code: "invalid_path",
    message: `The path ${showText(path)} has a percent escape that is not UTF-8 text.`,
    hint: "Encode names and keys as encodeURIComponent does; a percent sign is %25.",
  });
}

/** Few segments have an escape. */
function decodeSegment(segment: string): string | undefined {
  return segment.includes("%") ? decodedPart(segment) : segment;
}

/** Reads the body of a write, which must be a non-empty JSON object. */
export async function readRowBody(call: Call): Promise<Result<JsonRow, TablesFailure>> {
  const contentType = call.headers["content-type"];
  if (!isJsonType(contentType)) {
    const message = `The content type ${showText(contentType ?? "")} is not JSON.`;
    const hint = "Send Content-Type: application/json.";
    return failed({ code: "unsupported_media_type", message, hint });
  }
  const body = await readJsonBody(call);
  switch (body.kind) {
    case "json":
      return readRow(body.value);
    case "malformed":
      return failed({
        code: "not_json",
        message: `The body cannot be read as JSON: ${body.message}.`,
      });
    case "too-large": {
      const message = `The body is larger than the ${body.limit} bytes that are accepted.`;
      return failed({ code: "body_too_large", message });
    }
    case "aborted":
      return failed({ code: "incomplete_body", message: "The body did not arrive completely." });
  }
}

function readRow(value: unknown): Result<JsonRow, TablesFailure> {
  if (!isJsonObject(value)) {
    const hint = 'Send the columns and values of one row, such as {"name": "Ada"}.';
    const message = `The body must be a JSON object, not ${kindOf(value)}.`;
    return failed({ code: "invalid_body", message, hint });
  }
  if (Object.keys(value).length === 0) {
    return failed({ code: "empty_body", message: "The body names no column." });
  }
  return ok(value);
}

function isJsonObject(value: unknown): value is JsonRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}

/** What a request can do to a table or a row. */
type Operation = "read" | "options" | WriteOperation;
export type WriteOperation = "insert" | "replace" | "update" | "delete";

const operations: ReadonlyMap<string, Operation> = new Map([
  ["GET", "read"],
  ["HEAD", "read"],
  ["POST", "insert"],
  ["PUT", "replace"],
  ["PATCH", "update"],
  ["DELETE", "delete"],
  ["OPTIONS", "options"],
]);

/** Every method that some path answers. */
export const allMethods: readonly string[] = [...operations.keys()];

const tableMethods: readonly string[] = ["GET", "HEAD", "POST", "OPTIONS"];
const rowMethods: readonly string[] = ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** The methods that the path of a table or a row answers. */
export function methodsOf({ key }: Target): readonly string[] {
  return key === undefined ? tableMethods : rowMethods;
}

/** The operation of a method at this target, or why it is refused. */
export function readOperation(
  method: string,
  target: Target,
  primaryKey: readonly string[],
): Result<Operation, TablesFailure> {
  const operation = operations.get(method);
  const allowed = methodsOf(target);
  if (operation !== undefined && allowed.includes(method)) return ok(operation);
  if (operation !== undefined && target.key === undefined) {
    if (primaryKey.length === 0) return failed(noPrimaryKey(target.table));
    return failed({
      code: "missing_key",
      message: `${method} writes one row, and the path lacks the primary key ${primaryKey.join(", ")}.`,
      hint: (root) => `Use ${method} ${root}/${target.table}/{${primaryKey.join("},{")}}.`,
    });
  }
  const list = allowed.join(", ");
  const where = target.key === undefined ? "a table" : "a row";
  return failed({
    code: "method_not_allowed",
    message: `The method ${showText(method)} is not allowed on ${where}.${didYouMean(method, allowed)}`,
    hint: `Allowed: ${list}.`,
    headers: { allow: list },
  });
}
