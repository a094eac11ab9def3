import { jsonReply, type Reply } from "../../core/http/reply.ts";
import type { WriteResult } from "../../core/store/table.ts";
import type { WritePlan } from "../../core/rest/plan.ts";
import { constraintReply } from "./constraint-error.ts";
import { failedReply } from "./errors.ts";

/** Answers a statement that was run: with the body as it was sent, whatever has become of it in the table. */
export function respondToStatement(plan: WritePlan, result: WriteResult): Reply {
  const { operation, sent: data, table } = plan;
  if (operation === "insert") {
    if (!result.ok) return constraintReply(table.schema, result.violations);
    return jsonReply(201, { result: { message: "Resource created successfully", data } });
  }
  if (!result.ok && !isAboutNoRow(result)) return failedReply(operation);
  switch (operation) {
    case "replace":
      return jsonReply(200, { result: { message: "Resource replaced successfully", data } });
    case "update":
      return jsonReply(200, { result: { message: "Resource updated successfully", data } });
    case "delete":
      return jsonReply(200, { result: { message: "Resource deleted successfully" } });
  }
}

/** A statement that finds no row has nothing to do, and has done it. */
function isAboutNoRow({ violations }: Extract<WriteResult, { ok: false }>): boolean {
  return violations.every(({ kind }) => kind === "row-missing");
}
