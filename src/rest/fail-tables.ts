import type { Call } from "../http/call.ts";
import { withCors } from "../http/cors.ts";
import type { PlannedError } from "../http/planned-error.ts";
import { type Reply, withoutBody } from "../http/reply.ts";
import type { TablesContext } from "./answer-tables.ts";
import type { FaultManner } from "./fault-manner.ts";

/** Answers a call to the tables with an error, whatever it asks for. Pages of other origins can read it, too. */
export function failTables(
  { method }: Call,
  error: PlannedError,
  {
    profile,
    cors,
    manner,
  }: Pick<TablesContext, "profile" | "cors"> & { readonly manner: FaultManner },
): Reply {
  const reply = manner.answer(error);
  const shown = method === "HEAD" ? withoutBody(reply) : reply;
  return cors && profile.cors !== undefined ? withCors(shown, Object.keys(error.headers)) : shown;
}
