import type { ChatContext } from "../chat/context.ts";
import type { Call } from "../http/call.ts";
import { loadOnce } from "../http/load-once.ts";
import type { Reply } from "../http/reply.ts";
import { answerElsewhere, answerTables } from "../rest/answer-tables.ts";
import { createId } from "./environment.ts";
import type { Route } from "./routes.ts";
import type { Session } from "./session.ts";
import type { ResolvedSettings } from "./settings.ts";
import type { State } from "./state.ts";
import { tablesForTemplates } from "./template-tables.ts";

/** A call on its way to the interface that answers it. */
export interface AskedCall {
  readonly call: Call;
  readonly route: Route;
  readonly session: Session;
  /** When it came: by the timers, which measure how long it takes. */
  readonly started: number;
  /** When it came: by the clock of its session, Unix time in milliseconds. */
  readonly at: number;
}

/** Answers a call out of the fixtures, as if nothing else were there. */
export type AnswerAsEver = (asked: AskedCall, settings: ResolvedSettings) => Promise<Reply>;

/** Has the interface answer that is asked. */
export const answerAsEver: AnswerAsEver = (asked, settings) =>
  asked.route.interface === "rest"
    ? answerTablesCall(asked, settings)
    : answerChatCall(asked, settings);

async function answerTablesCall(asked: AskedCall, settings: ResolvedSettings): Promise<Reply> {
  const { call, route, session } = asked;
  const { tokens, cors } = settings;
  const { database, clock } = session.state;
  const stages = await settings.restProfile.stages();
  const answer = route.known ? answerTables : answerElsewhere;
  return answer(call, route.path, { database, stages, tokens, cors, now: clock.now });
}

async function answerChatCall(asked: AskedCall, settings: ResolvedSettings): Promise<Reply> {
  const { call, route, session } = asked;
  const { answerChat, refuseUnknownPath } = await chatRoom();
  const context = chatContext(session, settings);
  return route.known ? answerChat(call, route.path, context) : refuseUnknownPath(call, context);
}

/** A context holds for as long as a state does: to make one takes as long as to answer from it. */
const chatContexts: WeakMap<State, ChatContext> = new WeakMap();

function chatContext(session: Session, settings: ResolvedSettings): ChatContext {
  const known = chatContexts.get(session.state);
  if (known !== undefined) return known;
  const { state } = session;
  const context: ChatContext = {
    models: session.models,
    scripts: state.scripts,
    profile: settings.chatProfile,
    unmatched: settings.unmatched,
    apiKeys: settings.apiKeys,
    cors: settings.cors,
    now: state.clock.now,
    get clockStands() {
      return settings.clock !== undefined || state.clock.standsAt !== undefined;
    },
    random: state.random,
    createId: (prefix) => createId(prefix, state.random),
    speed: settings.speed,
    pace: settings.pace,
    otherPaths: ["/rest/{table}", "/rest/{table}/{key}"],
    basePaths: settings.basePaths,
    tokenizer: settings.tokenizer,
    limiter: state.limiter,
    templates: session.templates,
    templateScope: () => ({ tables: tablesForTemplates(state) }),
  };
  chatContexts.set(state, context);
  return context;
}

/** Loaded when it is first needed: its modules take 8 ms, for which those who use only tables need not wait. */
const chatRoom = loadOnce(() => import("../chat/answer-chat.ts"));
