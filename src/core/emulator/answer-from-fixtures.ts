import type { ChatContext } from "../chat/context.ts";
import { loadOnce } from "../http/load-once.ts";
import { showText } from "../errors/show.ts";
import type { Reply } from "../http/reply.ts";
import { answerElsewhere, answerTables } from "../rest/answer-tables.ts";
import type { ReceivedCall } from "./received-call.ts";
import type { ResolvedSettings } from "../settings/resolve-settings.ts";
import { tablesForTemplates } from "./template-tables.ts";

/** Answers a call. A rejection is a bug in the emulator. */
export type AnswerCall = (received: ReceivedCall, settings: ResolvedSettings) => Promise<Reply>;

/** Answers from tables and scripts alone: no faults, recordings or real service. */
export const answerFromFixtures: AnswerCall = (received, settings) =>
  received.route.interface === "rest"
    ? answerTablesCall(received, settings)
    : answerChatCall(received, settings);

async function answerTablesCall(
  received: ReceivedCall,
  settings: ResolvedSettings,
): Promise<Reply> {
  const { call, route, session } = received;
  const { tokens, cors } = settings;
  const { database, clock } = session.state;
  const answers = await settings.restProfile.answers();
  const answer = route.known ? answerTables : answerElsewhere;
  return await answer(call, route.path, { database, answers, tokens, cors, now: clock.now });
}

async function answerChatCall(received: ReceivedCall, settings: ResolvedSettings): Promise<Reply> {
  const { answerChat, refuseUnknownPath } = await chatRoom();
  const { call, route } = received;
  if (route.path === "/" && settings.chatProfile.guides && /^(?:GET|HEAD)$/.test(call.method)) {
    const { indexReply } = await import("./index-reply.ts");
    return indexReply(call, settings);
  }
  const context = chatContext(received, settings);
  const answer = route.known
    ? answerChat(call, route.path, context)
    : refuseUnknownPath(call, context);
  return await answer;
}

const otherPaths = ["/rest/{table}", "/rest/{table}/{key}"];

function chatContext(received: ReceivedCall, settings: ResolvedSettings): ChatContext {
  const { session, warnOnce } = received;
  const { state, models, templates } = session;
  const { clock } = state;
  const { load } = settings;
  return {
    models,
    acceptModel:
      settings.unknownModels === "error"
        ? undefined
        : (id) =>
            warnOnce(
              `The model ${showText(id)} is not in the fixtures. It is accepted like any other name.`,
            ),
    scripts: state.scripts,
    profile: settings.chatProfile,
    unmatched: settings.unmatched,
    apiKeys: settings.apiKeys,
    cors: settings.cors,
    now: clock.now,
    clockStands: settings.clock !== undefined || clock.standsAt !== undefined,
    random: state.random,
    createId: state.createId,
    speed: settings.speed,
    pace: settings.pace,
    otherPaths,
    basePaths: settings.basePaths,
    tokenizer: settings.tokenizer,
    limiter: state.limiter,
    load:
      load.length === 0
        ? undefined
        : async (model) => (await loadRoom()).enterLoad(model, received, load),
    templates,
    templateScope: () => ({ tables: tablesForTemplates(state) }),
  };
}

/** Loaded on first use: most services answer any number of chats. */
const loadRoom = loadOnce(() => import("./enter-load.ts"));

/** Loaded on first use: its modules take 8 ms, which users of tables alone need not wait for. */
const chatRoom = loadOnce(() => import("../chat/answer-chat.ts"));
