import { bearerKey, isAcceptedKey } from "../http/bearer-key.ts";
import type { Call } from "../http/call.ts";
import { corsHeaders, isPreflight, preflightReply } from "../http/cors.ts";
import { type PlannedError, type Reply, type ReplyHeaders, withoutBody } from "../http/reply.ts";
import { completeChat, usualKind } from "./complete-chat.ts";
import type { ChatContext } from "./context.ts";
import { type ChatError, chatErrors, errorReply, organization } from "./errors.ts";
import { listModels, retrieveModel } from "./models.ts";

/**
 * Answers a call to the chat interface. `path` is what the call's path has below the mount point, still
 * percent-encoded. It always gives a reply in the interface's own envelope: the key is looked at first, then
 * path and method, and the body only after that.
 */
export function answerChat(call: Call, path: string, context: ChatContext): Promise<Reply> {
  return answerAt(findEndpoint(path), call, { path, context });
}

/** Answers a call whose path belongs to no interface: as chat does a path that it does not have. */
export function refuseUnknownPath(call: Call, context: ChatContext): Promise<Reply> {
  return answerAt(undefined, call, { path: call.path, context });
}

interface Place {
  /** The path as it is named in errors. */
  readonly path: string;
  readonly context: ChatContext;
}

async function answerAt(endpoint: Endpoint | undefined, call: Call, place: Place): Promise<Reply> {
  const started = place.context.now();
  const requestId = place.context.createId("req_");
  const reply = await answer(endpoint, call, place);
  return finish(reply, call, { context: place.context, started, requestId });
}

/** What the headers of a reply tell of. */
interface ReplyFacts {
  readonly context: Pick<ChatContext, "now" | "cors">;
  readonly started: number;
  readonly requestId: string;
}

/** Adds the headers that every reply of chat has, and leaves out the body for HEAD. */
function finish(answered: Reply, call: Call, { context, started, requestId }: ReplyFacts): Reply {
  const reply = call.method === "HEAD" ? withoutBody(answered) : answered;
  const elapsed = context.now() - started + (reply.delayMs ?? 0);
  const headers = {
    "x-request-id": requestId,
    "openai-version": "2020-10-01",
    "openai-organization": organization,
    "openai-processing-ms": String(Math.max(0, Math.round(elapsed))),
  };
  const cors = context.cors ? corsHeaders(exposedHeaders(reply.headers)) : undefined;
  // Not spread: see withCors.
  return { ...reply, headers: Object.assign(headers, reply.headers, cors) };
}

function answer(
  endpoint: Endpoint | undefined,
  call: Call,
  { path, context }: Place,
): Reply | Promise<Reply> {
  if (context.cors && isPreflight(call)) return allowAll(call, endpoint?.methods ?? []);
  const denied = authorize(call, context.apiKeys);
  if (denied !== undefined) return errorReply(denied);
  if (endpoint === undefined) return errorReply(unknownPath(call, path, context));
  if (!endpoint.methods.includes(call.method)) {
    return errorReply(chatErrors.wrongMethod(call.method, path, endpoint.methods));
  }
  return endpoint.answer(call, context);
}

/** Names paths as they are below the mount point, and as a whole where the root is none. */
function unknownPath(
  { method, path: whole }: Call,
  path: string,
  { otherPaths = [], basePaths = [""] }: ChatContext,
): ChatError {
  const valid = [...endpointList, ...otherPaths];
  if (basePaths.includes("")) return chatErrors.unknownPath(method, path, valid);
  const base = basePaths.find((mount) => whole.startsWith(`${mount}/`)) ?? basePaths[0] ?? "";
  const mounted = valid.map((line) => line.replace("/", () => `${base}/`));
  return chatErrors.unknownPath(method, whole, mounted);
}

/** Allows a page whatever it asks for, so that it gets to see the 404 or 405 and not a CORS error. */
function allowAll(call: Call, methods: readonly string[]): Reply {
  const asked = call.headers["access-control-request-method"] ?? "";
  return preflightReply(call, methods.includes(asked) ? methods : [...methods, asked]);
}

/** Those that every reply has, whatever its own. */
const commonHeaders = [
  "x-request-id",
  "openai-version",
  "openai-organization",
  "openai-processing-ms",
];
const commonList = commonHeaders.join(", ");

/** Headers that a page may read without being told. */
const alwaysVisible = ["content-type", "content-length", "cache-control", "vary"];

const notListed = new Set([...commonHeaders, ...alwaysVisible]);

/** The headers that a page has to be told of, those aside that are about this very permission. */
function exposedHeaders(own: ReplyHeaders): string {
  let list = commonList;
  for (const name of Object.keys(own)) {
    if (!notListed.has(name) && !name.startsWith("access-control-")) list += `, ${name}`;
  }
  return list;
}

/** What a path answers to, and how. */
interface Endpoint {
  readonly methods: readonly string[];
  readonly answer: (call: Call, context: ChatContext) => Reply | Promise<Reply>;
}

/** What there is, in words, for those who ask for something else. */
const endpointList: readonly string[] = [
  "POST /chat/completions",
  "GET /models",
  "GET /models/{id}",
];

const reading = ["GET", "HEAD"];
const modelPrefix = "/models/";

/** The endpoint at a path, which is still percent-encoded. */
function findEndpoint(path: string): Endpoint | undefined {
  if (path === "/chat/completions") return { methods: ["POST"], answer: completeChat };
  if (path === "/models") {
    return { methods: reading, answer: (_, { models }) => listModels(models) };
  }
  const id = path.startsWith(modelPrefix) ? path.slice(modelPrefix.length) : "";
  if (id === "") return undefined;
  return { methods: reading, answer: (_, { models }) => retrieveModel(id, models) };
}

/** Why a call is denied, or nothing. `apiKeys` null asks for no key; an empty list takes any. */
export function authorize(call: Call, apiKeys: readonly string[] | null): ChatError | undefined {
  if (apiKeys === null) return undefined;
  const key = bearerKey(call.headers["authorization"]);
  if (key === undefined) return chatErrors.noKey();
  return apiKeys.length === 0 || isAcceptedKey(key, apiKeys) ? undefined : chatErrors.wrongKey(key);
}

/** Answers a call to chat with an error, whatever it asks for. It has the type and code that are usual with its status. */
export function failChat(call: Call, error: PlannedError, context: FailContext): Reply {
  return failWith({ ...error, ...usualKind(error.status), param: null }, call, context);
}

/** Refuses a call to chat that is not recorded. The message says so. */
export function refuseUnrecordedChat(call: Call, message: string, context: FailContext): Reply {
  return failWith(chatErrors.notRecorded(message), call, context);
}

type FailContext = Pick<ChatContext, "now" | "cors" | "createId">;

function failWith(error: ChatError, call: Call, context: FailContext): Reply {
  const facts = { context, started: context.now(), requestId: context.createId("req_") };
  return finish(errorReply(error), call, facts);
}
