import type { MaybePromise } from "../../http/maybe-promise.ts";
import { answered, type Plan, type TablesRequest } from "../plan.ts";
import { readBody } from "./body.ts";
import { errorReply, uncaughtReply } from "./errors.ts";
import { readPath, type StatementTarget } from "./path.ts";
import { planDelete } from "./plan-delete.ts";
import { planInsert } from "./plan-insert.ts";
import { planRead } from "./plan-read.ts";
import { planUpdate } from "./plan-update.ts";

/** Turns a request into the statement that the service runs for it, or into what it says without one. */
export function planStatement(request: TablesRequest): MaybePromise<Plan> {
  const { method } = request.call;
  const target = readPath(request.path);
  if (target === undefined) return answered(uncaughtReply("the path names no table"));
  switch (method) {
    case "GET":
      return planRead(request, target);
    case "DELETE":
      return planDelete(request, target);
    case "POST":
    case "PUT":
    case "PATCH":
      return planWithBody(request, target, method);
    default:
      return answered(errorReply(405, "Method not allowed"));
  }
}

async function planWithBody(
  request: TablesRequest,
  target: StatementTarget,
  method: "POST" | "PUT" | "PATCH",
): Promise<Plan> {
  const body = await readBody(request.call);
  if (!body.ok) return answered(body.reply);
  if (method === "POST") return planInsert(request, target.name, body.value);
  const operation = method === "PUT" ? "replace" : "update";
  return planUpdate(request, target, { operation, body: body.value });
}
