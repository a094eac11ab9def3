import type { Call } from "../http/call.ts";
import { withCors } from "../http/cors.ts";
import type { PlannedError } from "../http/planned-error.ts";
import { type Reply, withoutBody } from "../http/reply.ts";
import type { TablesContext } from "./answer-tables.ts";

/** Answers a call to the tables with an error, whatever it asks for. Pages of other origins can read it, too. */
export function failTables(
  { method }: Call,
  error: PlannedError,
  { stages, cors }: Pick<TablesContext, "stages" | "cors">,
): Reply {
  const reply = stages.faults.answer(error);
  const shown = method === "HEAD" ? withoutBody(reply) : reply;
  return cors && stages.cors !== undefined ? withCors(shown, Object.keys(error.headers)) : shown;
}
