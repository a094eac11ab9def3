import { isPreflight } from "../../http/cors.ts";
import type { Reply } from "../../http/reply.ts";
import { answerFromFixtures } from "../answer-from-fixtures.ts";
import type { Exchange } from "../exchange.ts";
import type { SharedTables } from "../sockets/shared-tables.ts";
import { ownReply } from "../own-replies.ts";
import { withServiceCors } from "../service-cors.ts";

/** Answers a call from up-to-date tables, or with 503 when they are unavailable. */
export async function answerShared(shared: SharedTables, exchange: Exchange): Promise<Reply> {
  const { call, route, settings } = exchange;
  const answer = async (): Promise<Reply> => answerFromFixtures(exchange);
  if (settings.cors && isPreflight(call)) return answer();
  // A caller without a valid key must not learn whether the tables are available.
  if (await route.interface.refuses(exchange)) return answer();
  // Calls are answered one after the other, so none may wait for its body meanwhile.
  if (route.known) await call.readBody();
  const changes = route.known && route.interface.changesRows(call.method);
  try {
    if (changes) return await shared.write(answer);
    return await shared.read(async (aside) => {
      exchange.aside = aside;
      return answer();
    });
  } catch (error) {
    const reply = { status: 503, code: "tables_unavailable", message: reasonOf(shared, error) };
    return withServiceCors(ownReply(route.interface, reply), exchange);
  }
}

/** Why the tables are unavailable. Rethrows other failures. */
function reasonOf(shared: SharedTables, error: unknown): string {
  const message = shared.unreachable(error);
  if (message === undefined) throw error;
  return message;
}
