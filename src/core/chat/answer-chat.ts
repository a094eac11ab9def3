import { isAcceptedKey } from "../http/bearer-key.ts";
import type { Call } from "../http/call.ts";
import { endpointFor, findPlace, methodsAt, type Place } from "../http/endpoint.ts";
import { type PlannedError, type Reply, type ReplyHeaders, withoutBody } from "../http/reply.ts";
import { allowReply, corsHeaders, isPreflight, preflightReply } from "../http/cors.ts";
import { chatKey } from "./azure.ts";
import type { ChatContext } from "./context.ts";
import {
  type ChatError,
  chatErrors,
  errorReply,
  organization,
  usualKind,
  usualMessage,
} from "./errors.ts";
import { type ChatEndpoint, chatEndpoints, endpointsUnder } from "./endpoints.ts";
import { type ServedChat, unknownPath, wrongMethod } from "./unknown-path.ts";

/**
 * Answers a call to the chat interface. `path` is the part of the call's path below the mount point, still
 * percent-encoded. Always gives a reply in the interface's own envelope. Checks the key first, then path and method,
 * and reads the body last.
 */
export function answerChat(call: Call, path: string, context: ServedChat): Promise<Reply> {
  const { endpoints, name } = findPlace(context.endpoints ?? chatEndpoints, path);
  const served = endpointsUnder(context.profile, endpoints);
  return answerAt({ endpoints: served, name }, call, context);
}

/** Answers a call whose path belongs to no interface, as chat answers an unknown path. */
export function refuseUnknownPath(call: Call, context: ServedChat): Promise<Reply> {
  return answerAt(nowhere, call, context);
}

type ChatPlace = Place<ChatEndpoint>;

const nowhere: ChatPlace = { endpoints: [], name: "" };

async function answerAt(place: ChatPlace, call: Call, context: ServedChat): Promise<Reply> {
  const finish = begin(call, context);
  return finish(await answer(place, call, context));
}

/** Begins an answer. The result adds the headers of every chat reply, and drops the body for HEAD. */
function begin({ method }: Call, { now, cors, createId }: FailContext): (answered: Reply) => Reply {
  const started = now();
  const requestId = createId("req_");
  return (answered) => {
    const reply = method === "HEAD" ? withoutBody(answered) : answered;
    const elapsed = now() - started + (reply.delayMs ?? 0);
    const headers = {
      "x-request-id": requestId,
      "openai-version": "2020-10-01",
      "openai-organization": organization,
      "openai-processing-ms": String(Math.max(0, Math.round(elapsed))),
    };
    const open = cors ? corsHeaders(exposedHeaders(reply.headers)) : undefined;
    // Not spread: see withCors.
    return { ...reply, headers: Object.assign(headers, reply.headers, open) };
  };
}

function answer(place: ChatPlace, call: Call, context: ServedChat): Reply | Promise<Reply> {
  const isKnown = place.endpoints.length > 0;
  const { method, path, prefix = "" } = call;
  if (context.cors && isPreflight(call)) return allowAll(call, methodsAt(place));
  if (isKnown && method === "OPTIONS") return allowReply(methodsAt(place));
  if (!isKnown && context.elsewhere !== undefined) {
    // Before the key is checked: a client that looks for rows has no key for chat.
    return errorReply(chatErrors.rowsElsewhere(method, prefix + path, context.elsewhere));
  }
  const denied = authorize(call, context);
  if (denied !== undefined) return errorReply(denied, context.profile);
  if (!isKnown) return errorReply(unknownPath(call, context));
  const endpoint = endpointFor(place, method);
  if (endpoint === undefined) {
    return errorReply(wrongMethod(call, methodsAt(place), context));
  }
  return endpoint.answer(call, context, place.name);
}

/**
 * Answers a page's preflight with every method allowed, so that the page sees the 404 or 405 instead of a CORS error.
 */
function allowAll(call: Call, methods: readonly string[]): Reply {
  const asked = call.headers["access-control-request-method"] ?? "";
  return preflightReply(call, methods.includes(asked) ? methods : [...methods, asked]);
}

/** Headers that every reply has in addition to its own. */
const commonHeaders = [
  "x-request-id",
  "openai-version",
  "openai-organization",
  "openai-processing-ms",
];
const commonList = commonHeaders.join(", ");

/** Headers that a page may read without permission. */
const alwaysVisible = ["content-type", "content-length", "cache-control", "vary"];

const notListed = new Set([...commonHeaders, ...alwaysVisible]);

/** The reply's headers that a page needs permission to read, without the CORS headers themselves. */
function exposedHeaders(own: ReplyHeaders): string {
  let list = commonList;
  for (const name of Object.keys(own)) {
    if (!notListed.has(name) && !name.startsWith("access-control-")) list += `, ${name}`;
  }
  return list;
}

/**
 * The error that denies a call; undefined when its key is accepted. `apiKeys` null needs no key; an empty list accepts
 * any.
 */
export function authorize(
  { headers }: Call,
  {
    apiKeys,
    tablesTokens = [],
    profile,
  }: Pick<ChatContext, "apiKeys" | "tablesTokens"> & { readonly profile: { isWhole: boolean } },
): ChatError | undefined {
  if (apiKeys === null) return undefined;
  const key = chatKey(profile, headers);
  if (key === undefined) return chatErrors.noKey();
  if (apiKeys.length === 0 || isAcceptedKey(key, apiKeys)) return undefined;
  return chatErrors.wrongKey(key, isAcceptedKey(key, tablesTokens));
}

/**
 * Answers any call to chat with an error. Its type and code follow from the status, and so does its message if the plan
 * has none.
 */
export function failChat(call: Call, error: PlannedError, context: FailContext): Reply {
  const { status, headers, isWorded, waitMs } = error;
  const message = isWorded ? error.message : `${usualMessage(status, { waitMs })} ${error.message}`;
  const failed = { status, message, headers, ...usualKind(status), param: null };
  return failWith(failed, call, context);
}

/** Refuses a call to chat that has no recording. `message` is the error's message. */
export function refuseUnrecordedChat(call: Call, message: string, context: FailContext): Reply {
  return failWith(chatErrors.notRecorded(message), call, context);
}

type FailContext = Pick<ChatContext, "now" | "cors" | "createId">;

function failWith(error: ChatError, call: Call, context: FailContext): Reply {
  return begin(call, context)(errorReply(error));
}
