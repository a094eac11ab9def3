import type { ChatContext } from "../chat/context.ts";
import type { Call } from "../http/call.ts";
import { andThen, type MaybePromise } from "../http/maybe-promise.ts";
import type { Reply } from "../http/reply.ts";
import { answerElsewhere, answerTables } from "../rest/answer-tables.ts";
import { createId } from "./environment.ts";
import type { Route } from "./routes.ts";
import type { Session } from "./session.ts";
import type { ResolvedSettings } from "./settings.ts";
import type { State } from "./state.ts";

/** A call on its way to the interface that answers it. */
export interface AskedCall {
  readonly call: Call;
  readonly route: Route;
  readonly session: Session;
  /** When it came: by the timers, which measure how long it takes. */
  readonly started: number;
  /** When it came: by the emulator's clock, Unix time in milliseconds. */
  readonly at: number;
}

/** Has the tables interface answer. */
export function answerTablesCall(
  { call, route, session }: AskedCall,
  { restProfile, tokens, cors }: ResolvedSettings,
  now: () => number,
): MaybePromise<Reply> {
  const answer = route.known ? answerTables : answerElsewhere;
  const { database } = session.state;
  return answer(call, route.path, { database, profile: restProfile, tokens, cors, now });
}

/** Has the chat interface answer. */
export function answerChatCall(
  { call, route, session }: AskedCall,
  settings: ResolvedSettings,
  now: () => number,
): MaybePromise<Reply> {
  return andThen(chatRoom(), ({ answerChat, refuseUnknownPath }) => {
    const context = chatContext(session, settings, now);
    return route.known ? answerChat(call, route.path, context) : refuseUnknownPath(call, context);
  });
}

function chatContext(session: Session, settings: ResolvedSettings, now: () => number): ChatContext {
  const { state } = session;
  return {
    models: session.models,
    scripts: state.scripts,
    profile: settings.chatProfile,
    unmatched: settings.unmatched,
    apiKeys: settings.apiKeys,
    cors: settings.cors,
    now,
    clockStands: settings.clock !== undefined,
    random: state.random,
    createId: (prefix) => createId(prefix, state.random),
    speed: settings.speed,
    pace: settings.pace,
    otherPaths: ["/rest/{table}", "/rest/{table}/{key}"],
    tokenizer: settings.tokenizer,
    limiter: state.limiter,
    templates: session.templates,
    templateScope: () => ({ tables: tablesForTemplates(state) }),
  };
}

type ChatRoom = typeof import("../chat/answer-chat.ts");

let loadedChatRoom: MaybePromise<ChatRoom> | undefined;

/** Loaded when it is first needed: its modules take 8 ms, for which those who use only tables need not wait. */
function chatRoom(): MaybePromise<ChatRoom> {
  loadedChatRoom ??= import("../chat/answer-chat.ts").then((room) => {
    loadedChatRoom = room;
    return room;
  });
  return loadedChatRoom;
}

/** Rows by table, each list made only when a template asks for it. */
function tablesForTemplates({ database }: State): object {
  const tables = Object.create(null);
  for (const name of database.names()) {
    Object.defineProperty(tables, name, {
      enumerable: true,
      get: () => database.table(name)?.rows(),
    });
  }
  return tables;
}
