import type { Call } from "../http/call.ts";
import type { MaybePromise } from "../http/maybe-promise.ts";
import type { Reply } from "../http/reply.ts";
import { completeChat } from "./complete-chat.ts";
import type { ChatContext } from "./context.ts";
import { listModels, retrieveModel } from "./models.ts";

/** What a path answers to, and how. */
export interface Endpoint {
  readonly methods: readonly string[];
  readonly answer: (call: Call, context: ChatContext) => MaybePromise<Reply>;
}

/** What there is, in words, for those who ask for something else. */
export const endpointList: readonly string[] = [
  "POST /chat/completions",
  "GET /models",
  "GET /models/{id}",
];

const reading = ["GET", "HEAD"];
const modelPrefix = "/models/";

/** The endpoint at a path, which is still percent-encoded. */
export function findEndpoint(path: string): Endpoint | undefined {
  if (path === "/chat/completions") return { methods: ["POST"], answer: completeChat };
  if (path === "/models") {
    return { methods: reading, answer: (_, { models }) => listModels(models) };
  }
  const id = path.startsWith(modelPrefix) ? path.slice(modelPrefix.length) : "";
  if (id === "") return undefined;
  return { methods: reading, answer: (_, { models }) => retrieveModel(id, models) };
}
