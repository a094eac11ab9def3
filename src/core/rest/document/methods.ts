import { type Failure, noPrimaryKey } from "./errors.ts";
import { failed, ok, type Result } from "../../errors/result.ts";
import { didYouMean } from "../../errors/nearest-name.ts";
import { showText } from "../../errors/show.ts";
import type { Target } from "./request.ts";

/** What a request can do to a table or a row. */
export type Operation = "read" | "insert" | "replace" | "update" | "delete" | "options";

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

/** The methods that a table's path or a row's path answers. */
export function methodsOf({ key }: Target): readonly string[] {
  return key === undefined ? tableMethods : rowMethods;
}

/** What a method does there, or why it does nothing. */
export function readOperation(
  method: string,
  target: Target,
  primaryKey: readonly string[],
): Result<Operation, Failure> {
  const operation = operations.get(method);
  const allowed = methodsOf(target);
  if (operation !== undefined && allowed.includes(method)) return ok(operation);
  if (operation !== undefined && target.key === undefined) {
    if (primaryKey.length === 0) return failed(noPrimaryKey(target.table));
    return failed({
      code: "missing_key",
      message: `${method} writes one row, and the path lacks the primary key ${primaryKey.join(", ")}.`,
      hint: `Use ${method} /rest/${target.table}/{${primaryKey.join("},{")}}.`,
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
