import type { Call } from "../http/call.ts";
import type { Endpoint } from "../http/endpoint.ts";
import type { Reply } from "../http/reply.ts";
import { loadOnce } from "../http/load-once.ts";
import type { EndpointDescription } from "../schema/openapi.ts";
import type { ChatContext } from "./context.ts";
import type { RequestRules } from "./request/request-rules.ts";

/** An endpoint of chat: how it answers, and how OpenAPI describes it. Both are loaded on first use. */
export interface ChatEndpoint extends Endpoint {
  /** Answers a call that has a key. `name` stands in the place of the braces, still percent-encoded. */
  readonly answer: (call: Call, context: ChatContext, name: string) => Promise<Reply>;
  /** Its operation under a profile's rules. */
  readonly describe: (rules: RequestRules) => Promise<EndpointDescription>;
}

/** Everything that chat answers. Routing, the answers 404 and 405, and OpenAPI come from these rows. */
export const chatEndpoints: readonly ChatEndpoint[] = [
  {
    method: "POST",
    path: "/chat/completions",
    answer: async (call, context) => (await completions()).completeChat(call, context),
    describe: async (rules) => (await import("./describe.ts")).describeCompletions(rules),
  },
  {
    method: "GET",
    path: "/models",
    answer: async (_, context) => (await models()).listModels(context, context.scripts.list()),
    describe: async () => (await import("./describe.ts")).describeModelList(),
  },
  {
    method: "GET",
    path: "/models/{id}",
    answer: async (_, context, id) => (await models()).retrieveModel(id, context, context.profile),
    describe: async () => (await import("./describe.ts")).describeModel(),
  },
];

const completions = loadOnce(() => import("./wire/completion-reply.ts"));
const models = loadOnce(() => import("./models.ts"));
