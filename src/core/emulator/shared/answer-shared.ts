import { authorize } from "../../chat/answer-chat.ts";
import { isPreflight } from "../../http/cors.ts";
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
  const isOfChat = route.interface === "chat";
  const reads = isOfChat || !route.known || readMethods.has(call.method);
  // Answers are made one after the other, so a body must not be awaited within one.
  if (!reads || (isOfChat && route.known)) await call.readBody();
  try {
    const answerNow = (): Promise<Reply> => answer(asked, settings);
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

/** Why the tables cannot be had. Throws on what is another failure. */
function reasonOf(shared: SharedTables, error: unknown): string {
  const message = shared.unreachable(error);
  if (message === undefined) throw error;
  return message;
}
