import { cut } from "../errors/show.ts";
import { after, loadOnce, type Soon } from "../http/soon.ts";
import type { Reply } from "../http/reply.ts";
import { defaultToken } from "../tables/default-token.ts";
import type { Warn } from "../tables/profile-answers.ts";
import { withoutKeys } from "./journal/redaction.ts";
import { answerElsewhere, answerTables } from "../tables/answer-tables.ts";
import type { ReceivedCall } from "./received-call.ts";
import type { ResolvedSettings } from "../settings/resolve-settings.ts";

/** Answers a call. A rejection is a bug in the emulator. */
export type AnswerCall = (received: ReceivedCall, settings: ResolvedSettings) => Soon<Reply>;

/** Answers from tables and scripts alone: no faults, recordings or real service. */
export const answerFromFixtures: AnswerCall = (received, settings) => {
  const answer =
    received.route.interface === "tables"
      ? answerTablesCall(received, settings)
      : after(chatRoom(), ({ answerChatCall }) => answerChatCall(received, settings));
  return after(answer, (reply) =>
    isMisplaced(received, reply) ? withBody(received, reply) : reply,
  );
};

/** Whether a request for which there is no place may have a body that nobody has read. */
function isMisplaced({ call: { method, received }, entry }: ReceivedCall, reply: Reply): boolean {
  if (reply.status !== 404 && reply.status !== 405) return false;
  return entry !== undefined && received === undefined && !/^(?:GET|HEAD|OPTIONS)$/.test(method);
}

/** Reads the body, since whoever looks for the mistake in the journal looks there. */
async function withBody({ call }: ReceivedCall, reply: Reply): Promise<Reply> {
  // A front that is too busy to read it still answers.
  await call.readBody().catch(() => undefined);
  return reply;
}

function answerTablesCall(received: ReceivedCall, settings: ResolvedSettings): Soon<Reply> {
  const { call, route, session } = received;
  const { tokens, apiKeys, cors, tablesProfile } = settings;
  const { database, clock } = session.state;
  const chatKeys = apiKeys ?? [];
  const warn: Warn = (message, kind) => {
    // The default token is no secret.
    const secrets = session.ownKeys.filter((key) => key !== defaultToken);
    received.warnOnce(withoutKeys(message, secrets), kind);
  };
  const answer = route.known ? answerTables : answerElsewhere;
  const reply = after(tablesProfile.answers(), (answers) =>
    answer(call, route.path, { database, answers, tokens, chatKeys, cors, now: clock.now, warn }),
  );
  // The log has the advice before the request.
  return route.known ? reply : warnOfRowsElsewhere(received, settings).then(() => reply);
}

/** A profile that answers paths of no interface does so as the real service, which gives no advice. */
async function warnOfRowsElsewhere(
  received: ReceivedCall,
  settings: ResolvedSettings,
): Promise<void> {
  const { method, path } = received.call;
  const { rowsElsewhere } = await import("./rows-elsewhere.ts");
  const elsewhere = rowsElsewhere(received, settings);
  if (elsewhere === undefined) return;
  received.warnOnce(
    `${method} ${cut(path)} is no path of the tables. ${elsewhere}`,
    "rows elsewhere",
  );
}

/** Loaded on first use: its modules take 8 ms, which users of tables alone need not wait for. */
const chatRoom = loadOnce(() => import("./answer-chat-call.ts"));
