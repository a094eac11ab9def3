import type { Call } from "../http/call.ts";
import { isPreflight, preflightReply, withCors } from "../http/cors.ts";
import type { Reply } from "../http/reply.ts";
import { authorize } from "./authorize.ts";
import { completeChat } from "./complete-chat.ts";
import type { ChatContext } from "./context.ts";
import { chatErrors, errorReply } from "./errors.ts";
import { listModels, retrieveModel } from "./models.ts";

/** What a path answers to, and how. */
interface Endpoint {
  readonly method: "GET" | "POST";
  readonly answer: (call: Call, context: ChatContext) => Reply | Promise<Reply>;
}

const validPaths = ["POST /chat/completions", "GET /models", "GET /models/{id}"];
const modelPrefix = "/models/";

/**
 * Answers a call to the chat interface. `path` is what the call's path has below the mount point, still
 * percent-encoded. It always gives a reply in the interface's own envelope: path and method are looked at first,
 * then the key, and the body only after that.
 */
export async function answerChat(call: Call, path: string, context: ChatContext): Promise<Reply> {
  const started = context.now();
  const requestId = context.createId("req_");
  const reply = await answer(call, path, context);
  const elapsed = context.now() - started + (reply.delayMs ?? 0);
  const complete: Reply = {
    ...reply,
    headers: {
      "x-request-id": requestId,
      "openai-version": "2020-10-01",
      "openai-processing-ms": String(Math.max(0, Math.round(elapsed))),
      ...reply.headers,
    },
  };
  return context.cors ? withCors(complete, exposedHeaders(complete)) : complete;
}

async function answer(call: Call, path: string, context: ChatContext): Promise<Reply> {
  const endpoint = findEndpoint(path);
  if (endpoint === undefined) {
    return errorReply(chatErrors.unknownPath(call.method, path, validPaths));
  }
  if (context.cors && isPreflight(call)) return preflightReply(call, [endpoint.method]);
  if (call.method !== endpoint.method) {
    return errorReply(chatErrors.wrongMethod(call.method, path, [endpoint.method]));
  }
  const denied = authorize(call, context.apiKeys);
  return denied === undefined ? endpoint.answer(call, context) : errorReply(denied);
}

function findEndpoint(path: string): Endpoint | undefined {
  if (path === "/chat/completions") return { method: "POST", answer: completeChat };
  if (path === "/models") {
    return { method: "GET", answer: (_, { models }) => listModels(models) };
  }
  const id = path.startsWith(modelPrefix) ? path.slice(modelPrefix.length) : "";
  if (id === "") return undefined;
  return { method: "GET", answer: (_, { models }) => retrieveModel(id, models) };
}

/** Headers that a page may read without being told, and those that are about this very permission. */
const alwaysVisible = /^(?:content-type|cache-control|access-control-.*|vary)$/;

function exposedHeaders(reply: Reply): readonly string[] {
  return Object.keys(reply.headers).filter((name) => !alwaysVisible.test(name));
}
