import type { Call } from "../http/call.ts";
import { withCors } from "../http/cors.ts";
import type { PlannedError } from "../http/planned-error.ts";
import { type Reply, withoutBody } from "../http/reply.ts";
import type { TablesContext } from "./answer-tables.ts";

/** Answers a call to the tables with an error, whatever it asks for. Pages of other origins can read it, too. */
export function failTables(
  { method }: Call,
  error: PlannedError,
  { stages, cors }: FailContext,
): Reply {
  const reply = stages.faults.answer(error);
  const shown = method === "HEAD" ? withoutBody(reply) : reply;
  return cors && stages.cors !== undefined ? withCors(shown, Object.keys(error.headers)) : shown;
}

/** Refuses a call to the tables that is not recorded. The message says so. */
export function refuseUnrecordedRow(
  { method }: Call,
  message: string,
  { stages, cors }: FailContext,
): Reply {
  const reply = stages.refuseUnrecorded(message);
  const shown = method === "HEAD" ? withoutBody(reply) : reply;
  return cors && stages.cors !== undefined ? withCors(shown, []) : shown;
}

type FailContext = Pick<TablesContext, "stages" | "cors">;
