import { answerChat, refuseUnknownPath } from "../chat/answer-chat.ts";
import type { ChatContext } from "../chat/context.ts";
import { ChatLoad, type LoadRule, type Slot } from "../chat/load.ts";
import { showText } from "../errors/show.ts";
import { bearerKey } from "../http/bearer-key.ts";
import type { Soon } from "../http/soon.ts";
import type { Reply } from "../http/reply.ts";
import type { ResolvedSettings } from "../settings/resolve-settings.ts";
import type { ReceivedCall } from "./received-call.ts";
import { tablesForTemplates } from "./template-tables.ts";

/** Answers a call to chat, or to a path of neither interface, from scripts. A rejection is a bug in the emulator. */
export function answerChatCall(received: ReceivedCall, settings: ResolvedSettings): Soon<Reply> {
  const { call, route } = received;
  if (
    route.path === "/" &&
    settings.chatProfile.guides &&
    /^(?:GET|HEAD|OPTIONS)$/.test(call.method)
  ) {
    return import("./index-reply.ts").then(({ indexReply }) => indexReply(call, settings));
  }
  const context = chatContext(received, settings);
  if (route.known) return answerChat(call, route.path, context);
  return import("./rows-elsewhere.ts").then(({ rowsElsewhere }) =>
    refuseUnknownPath(call, { ...context, elsewhere: rowsElsewhere(received, settings) }),
  );
}

/** The tables' paths below the mount point of a request to chat. */
function otherPaths({ tablesBasePaths }: ResolvedSettings): (base: string) => readonly string[] {
  return (base) => {
    const root = tablesBasePaths.includes(base) ? base : (tablesBasePaths[0] ?? "");
    return [`${root}/rest/{table}`, `${root}/rest/{table}/{key}`];
  };
}

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
    tablesTokens: settings.tokens ?? [],
    cors: settings.cors,
    now: clock.now,
    clockStands: settings.clock !== undefined || clock.standsAt !== undefined,
    random: state.random,
    createId: state.createId,
    randomFor: state.randomFor,
    warned: warnOnce,
    speed: settings.speed,
    pace: settings.pace,
    otherPaths: otherPaths(settings),
    basePaths: settings.basePaths,
    tokenizer: settings.tokenizer,
    limiter: state.limiter,
    load: load.length === 0 ? undefined : (model) => enterLoad(model, received, load),
    templates,
    templateScope: () => ({ tables: tablesForTemplates(state) }),
  };
}

/** Gives a chat its place in its session, which it leaves when its exchange is over. */
// oxlint-disable-next-line max-params
async function enterLoad(
  model: string,
  received: ReceivedCall,
  rules: readonly LoadRule[],
): Promise<Slot | undefined> {
  const { call, session } = received;
  session.load ??= new ChatLoad(rules, session.journal.all.now);
  const key = bearerKey(call.headers["authorization"]);
  const slot = await session.load.enter({ model, key, call });
  if (slot !== undefined) received.slot = slot;
  return slot;
}
