import { authorize } from "../../chat/answer-chat.ts";
import { isPreflight } from "../../http/cors.ts";
import type { Reply } from "../../http/reply.ts";
import { answerFromFixtures } from "../answer-from-fixtures.ts";
import type { ReceivedCall } from "../received-call.ts";
import type { SharedTables } from "../backends.ts";
import { ownReply } from "../own-replies.ts";
import { withServiceCors } from "../replay/service-cors.ts";
import type { ResolvedSettings } from "../../settings/resolve-settings.ts";

const readMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Answers a call from up-to-date tables, or with 503 when they are unavailable. */
export async function answerShared(
  shared: SharedTables,
  received: ReceivedCall,
  settings: ResolvedSettings,
): Promise<Reply> {
  const { call, route } = received;
  const answer = async (): Promise<Reply> => answerFromFixtures(received, settings);
  if (settings.cors && isPreflight(call)) return answer();
  // A caller without access to the tables is not told their condition either.
  if (await isRefused(received, settings)) return answer();
  const isOfChat = route.interface === "chat";
  const reads = isOfChat || !route.known || readMethods.has(call.method);
  // Answers are made one after the other, so none of them may wait for a body.
  if (!reads || (isOfChat && route.known)) await call.readBody();
  try {
    return await (reads ? shared.read(answer) : shared.write(answer));
  } catch (error) {
    const reply = { status: 503, code: "tables_unavailable", message: reasonOf(shared, error) };
    return withServiceCors(ownReply(route, reply), route, settings);
  }
}

/** Whether a call lacks the token or key that it needs. Then it is answered without the tables. */
async function isRefused(
  { call, route }: ReceivedCall,
  settings: ResolvedSettings,
): Promise<boolean> {
  if (route.interface === "chat") return authorize(call, settings.apiKeys) !== undefined;
  const { refuse: refuseCall } = await settings.tablesProfile.answers();
  return (
    refuseCall(call, { tokens: settings.tokens, chatKeys: [], warn: () => undefined }) !== undefined
  );
}

/** Why the tables are unavailable. Rethrows other failures. */
function reasonOf(shared: SharedTables, error: unknown): string {
  const message = shared.unreachable(error);
  if (message === undefined) throw error;
  return message;
}
