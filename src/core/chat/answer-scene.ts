import { showText } from "../errors/show.ts";
import type { PlannedError, Reply } from "../http/reply.ts";
import {
  answerChat,
  authorize,
  failChat,
  refuseUnknownPath,
  refuseUnrecordedChat,
} from "./answer-chat.ts";
import { chatKey } from "./azure.ts";
import type { Call } from "../http/call.ts";
import { endpointFor, findPlace } from "../http/endpoint.ts";
import { readJsonBody } from "../http/json-body.ts";
import { decodedOrSent } from "../http/url-parts.ts";
import { isObject } from "../schema/json.ts";
import { type ConversationScope, scopeTest } from "./faults/conversation-scope.ts";
import { requestInChatForm } from "./forms/responses-request.ts";
import { ChatLoad, type Slot } from "./load.ts";
import { type ChatRequest, requestOf } from "./request/chat-request.ts";
import { completionsWire } from "./wire/completions-wire.ts";
import type { ChatScene } from "./scene.ts";
import type { ServedChat } from "./unknown-path.ts";

/** Answers a request whose path belongs to chat. */
export function answerScene(scene: ChatScene): Promise<Reply> {
  return answerChat(scene.call, scene.route.path, contextOf(scene));
}

/**
 * Answers a request whose path belongs to no interface. `elsewhere` says where the rows are that the path seems to
 * mean.
 */
export function answerUnknownPath(scene: ChatScene, elsewhere: string | undefined): Promise<Reply> {
  return refuseUnknownPath(scene.call, { ...contextOf(scene), elsewhere });
}

/** Whether a request lacks the key that it needs. */
export function lacksKey({ call, settings }: Pick<ChatScene, "call" | "settings">): boolean {
  const { apiKeys, chatProfile } = settings;
  return authorize(call, { apiKeys, profile: chatProfile }) !== undefined;
}

/**
 * Makes a function that tells whether a request is in the scope of a planned fault; undefined if the request asks no
 * model. Of a request that the service would refuse, the valid part is read.
 */
export async function scopeTestOf(
  scene: ChatScene,
): Promise<((scope: ConversationScope) => boolean) | undefined> {
  const { call, route, settings, session } = scene;
  const place = findPlace(settings.chatEndpoints, route.path);
  const endpoint = endpointFor(place, call.method);
  if (endpoint === undefined || call.method !== "POST") return undefined;
  const wire = (await endpoint.wire?.()) ?? completionsWire;
  const isDeployment = endpoint.path.includes("{deployment}");
  const admitted = await wire.admit(call, {
    ...contextOf(scene),
    ...(isDeployment ? { deployment: decodedOrSent(place.name) } : {}),
  });
  const request = admitted.ok ? admitted.value.request : await readAsSent(call);
  return request && scopeTest({ request, headers: call.headers }, session.state.scripts);
}

/** The request in a body, however little of it is valid; undefined without a JSON object. */
async function readAsSent(call: Call): Promise<ChatRequest | undefined> {
  const body = await readJsonBody(call);
  if (body.kind !== "json" || !isObject(body.value)) return undefined;
  return requestOf(requestInChatForm(call.path, body.value));
}

/** The answer to a request that fails as planned. */
export function failScene(scene: ChatScene, error: PlannedError): Reply {
  return failChat(scene.call, error, failContextOf(scene));
}

/** The answer to a request that is not recorded. */
export function refuseUnrecordedScene(scene: ChatScene, message: string): Reply {
  return refuseUnrecordedChat(scene.call, message, failContextOf(scene));
}

function failContextOf({
  session,
  settings: { cors },
}: ChatScene): Pick<ServedChat, "now" | "cors" | "createId"> {
  return { now: session.now, cors, createId: session.state.createId };
}

function contextOf(scene: ChatScene): ServedChat {
  const { session, settings, warnOnce, pathsBeside } = scene;
  const { state, models, embeddings, templates } = session;
  const { clock } = state;
  const { load } = settings;
  return {
    endpoints: settings.chatEndpoints,
    models,
    embeddings,
    seed: settings.seed,
    acceptModel:
      settings.unknownModels === "error"
        ? undefined
        : (id) =>
            warnOnce(
              `The model ${showText(id)} is not in the fixtures. It is accepted like any other name.`,
            ),
    scripts: state.scripts,
    answers: state.answers,
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
    otherPaths: (base) => pathsBeside("chat", base),
    basePaths: settings.basePaths,
    tokenizer: settings.tokenizer,
    limiter: state.limiter,
    load: load.length === 0 ? undefined : (model) => enterLoad(model, scene),
    templates,
    templateScope: () => ({ tables: session.rowsForTemplates() }),
  };
}

/**
 * Gives a chat a place among the chats that run in its session. The chat leaves the place when its exchange is over.
 */
async function enterLoad(model: string, scene: ChatScene): Promise<Slot | undefined> {
  const { call, session, settings, timers } = scene;
  session.load ??= new ChatLoad(settings.load, () => timers.now());
  const key = chatKey(settings.chatProfile, call.headers);
  const place = session.load.enter({ model, key, call });
  if (place === undefined) return undefined;
  const take = async (): Promise<Slot> => (scene.slot = await place);
  // Other requests may use shared tables while this chat waits for its place.
  const hasToWait = place instanceof Promise;
  return hasToWait && scene.aside !== undefined ? scene.aside(take) : take();
}
