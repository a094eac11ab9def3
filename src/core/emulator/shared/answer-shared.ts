import { authorize } from "../../chat/answer-chat.ts";
import type { ControlContext } from "../../control/context.ts";
import { refuse } from "../../control/errors.ts";
import { refuseStranger } from "../../control/guard.ts";
import { largestControlBody } from "../../control/read-body.ts";
import { isPreflight } from "../../http/cors.ts";
import type { Call } from "../../http/call.ts";
import type { MaybePromise } from "../../http/maybe-promise.ts";
import type { Reply } from "../../http/reply.ts";
import type { AnswerAsEver } from "../answer-call.ts";
import { ownReply } from "../own-replies.ts";
import { readableByPages } from "../replay/readable-by-pages.ts";
import type { SharedTables } from "./shared-tables.ts";

const readMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Has a call answered as ever, out of tables that are up to date. Where those cannot be had it is answered 503. */
export async function answerShared(
  shared: SharedTables,
  answer: AnswerAsEver,
  ...[asked, settings]: Parameters<AnswerAsEver>
): Promise<Reply> {
  const { call, route } = asked;
  if (settings.cors && isPreflight(call)) return answer(asked, settings);
  // Who may not see the tables is not told how they are, either.
  if (await isRefused(asked, settings)) return answer(asked, settings);
  const reads = route.interface === "chat" || !route.known || readMethods.has(call.method);
  // Nobody else can write while a body is on its way, so it has to be here before.
  if (!reads) await call.readBody();
  try {
    const answerNow = (): MaybePromise<Reply> => answer(asked, settings);
    return await (reads ? shared.read(answerNow) : shared.write(answerNow));
  } catch (error) {
    const reply = { status: 503, code: "tables_unavailable", message: reasonOf(shared, error) };
    return readableByPages(ownReply(route, reply), route, settings);
  }
}

/** Whether a call lacks the token or key that it needs, so that it is answered without the tables. */
async function isRefused(
  ...[{ call, route }, settings]: Parameters<AnswerAsEver>
): Promise<boolean> {
  if (route.interface === "chat") return authorize(call, settings.apiKeys) !== undefined;
  const { refuse: refuseCall } = await settings.restProfile.stages();
  return refuseCall(call, settings.tokens) !== undefined;
}

/** What of the control API is about tables. All else works without them. */
const tablePaths = /^\/(?:tables|state|reset|snapshots)(?:\/|$)/;

/** What reads each table, without asking for its rows as others do. */
const wholePaths = /^\/(?:state|snapshots\/[^/]+)$/;

/** A call to the control API: where it goes below the prefix, and what answers it. */
export interface ControlCall {
  readonly call: Call;
  readonly path: string;
  readonly context: Pick<ControlContext, "access" | "sessionProblem">;
}

/** Has the control API answer, where it is about tables out of such that are up to date. */
export async function controlShared(
  shared: SharedTables,
  { call, path, context }: ControlCall,
  answer: () => MaybePromise<Reply>,
): Promise<Reply> {
  const { access, sessionProblem } = context;
  if (!tablePaths.test(path) || sessionProblem !== undefined) return answer();
  // Who may not see the tables is not told how they are, and the control API refuses them itself.
  if (isPreflight(call) || refuseStranger(call, access) !== undefined) return answer();
  const reads = readMethods.has(call.method);
  if (!reads) await call.readBody(largestControlBody);
  const scope = wholePaths.test(path) && call.method !== "DELETE" ? "all tables" : "what is asked";
  try {
    return await (reads ? shared.read(answer, scope) : shared.write(answer, scope));
  } catch (error) {
    return refuse("tables_unavailable", {
      message: reasonOf(shared, error),
      headers: { "x-should-retry": "false" },
    });
  }
}

/** Why the tables cannot be had. Throws on what is another failure. */
function reasonOf(shared: SharedTables, error: unknown): string {
  const message = shared.unreachable(error);
  if (message === undefined) throw error;
  return message;
}
