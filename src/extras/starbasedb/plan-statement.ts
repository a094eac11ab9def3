import type { MaybePromise } from "../../core/http/maybe-promise.ts";
import { asMiss } from "../../core/http/reply.ts";
import { answered, type Plan, type TablesRequest } from "../../core/rest/plan.ts";
import { readBody } from "./body.ts";
import { errorReply, uncaughtReply } from "./errors.ts";
import { findTable } from "./find-table.ts";
import { readPath, type StatementTarget } from "./path.ts";
import { planDelete } from "./plan-delete.ts";
import { planInsert } from "./plan-insert.ts";
import { planRead } from "./plan-read.ts";
import { planUpdate } from "./plan-update.ts";

/** Turns a request into the statement that the service runs for it, or into what it says without one. */
export function planStatement(request: TablesRequest): MaybePromise<Plan> {
  const { method } = request.call;
  const target = readPath(request.path);
  if (target === undefined) return answered(asMiss(uncaughtReply("the path names no table")));
  switch (method) {
    case "GET":
      return noteMiss(planRead(request, target), request, target);
    case "DELETE":
      return noteMiss(planDelete(request, target), request, target);
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
  if (!body.ok) return answered(body.error);
  if (method === "POST") {
    return noteMiss(planInsert(request, target.name, body.value), request, target);
  }
  const operation = method === "PUT" ? "replace" : "update";
  const plan = planUpdate(request, target, { operation, body: body.value });
  return noteMiss(plan, request, target);
}

/** The same plan; what is said of a table that there is not is marked as that. */
function noteMiss(
  plan: Plan,
  { database }: TablesRequest,
  { name }: Pick<StatementTarget, "name">,
): Plan {
  if (plan.kind !== "answered" || findTable(database, name) !== undefined) return plan;
  return answered(asMiss(plan.reply));
}
