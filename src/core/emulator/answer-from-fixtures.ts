import { after, loadOnce, type Soon } from "../http/soon.ts";
import type { Reply } from "../http/reply.ts";
import { answerElsewhere, answerTables } from "../rest/answer-tables.ts";
import type { ReceivedCall } from "./received-call.ts";
import type { ResolvedSettings } from "../settings/resolve-settings.ts";

/** Answers a call. A rejection is a bug in the emulator. */
export type AnswerCall = (received: ReceivedCall, settings: ResolvedSettings) => Soon<Reply>;

/** Answers from tables and scripts alone: no faults, recordings or real service. */
export const answerFromFixtures: AnswerCall = (received, settings) =>
  received.route.interface === "rest"
    ? answerTablesCall(received, settings)
    : after(chatRoom(), ({ answerChatCall }) => answerChatCall(received, settings));

function answerTablesCall(
  { call, route, session }: ReceivedCall,
  { tokens, cors, restProfile }: ResolvedSettings,
): Soon<Reply> {
  const { database, clock } = session.state;
  const answer = route.known ? answerTables : answerElsewhere;
  return after(restProfile.answers(), (answers) =>
    answer(call, route.path, { database, answers, tokens, cors, now: clock.now }),
  );
}

/** Loaded on first use: its modules take 8 ms, which users of tables alone need not wait for. */
const chatRoom = loadOnce(() => import("./answer-chat-call.ts"));
