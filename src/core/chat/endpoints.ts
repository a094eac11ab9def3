import type { Call } from "../http/call.ts";
import type { Endpoint } from "../http/endpoint.ts";
import type { Reply } from "../http/reply.ts";
import { loadOnce } from "../http/load-once.ts";
import { decodedOrSent } from "../http/url-parts.ts";
import type { EndpointDescription } from "../schema/openapi.ts";
import type { ChatContext } from "./context.ts";
import type { RequestRules } from "./request/request-rules.ts";
import type { Wire } from "./wire/wire.ts";

/** An endpoint of chat: how it answers, and how OpenAPI describes it. Both are loaded on first use. */
export interface ChatEndpoint extends Endpoint {
  /**
   * Answers a call whose key is accepted. `name` is the part of the path that the name in braces stands for, still
   * percent-encoded.
   */
  readonly answer: (call: Call, context: ChatContext, name: string) => Promise<Reply>;
  /** The form of the answers, if a model gives them. Default: chat completions. */
  readonly wire?: () => Promise<Wire>;
  /** Describes the operation for OpenAPI, under a profile's rules. */
  readonly describe: (rules: RequestRules) => Promise<EndpointDescription>;
  /**
   * Present for an endpoint that the documentation does not have, which only a whole profile answers. A sentence that
   * says what a program can use instead; empty if there is nothing.
   */
  readonly instead?: string;
}

/** Everything that chat answers. Routing, the answers 404 and 405, and OpenAPI come from these rows. */
export const chatEndpoints: readonly ChatEndpoint[] = [
  {
    method: "POST",
    path: "/chat/completions",
    form: "completions",
    example: (model) => ({ model, messages: [{ role: "user", content: "Hello!" }] }),
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
  {
    method: "POST",
    path: "/openai/deployments/{deployment}/chat/completions",
    instead: "Use POST /v1/chat/completions with the deployment as the model.",
    answer: async (call, context, deployment) =>
      (await completions()).completeChat(call, {
        ...context,
        deployment: decodedOrSent(deployment),
      }),
    describe: async (rules) => (await import("./describe.ts")).describeDeployment(rules),
  },
];

/** The endpoints that a profile has. */
export function endpointsUnder<Row extends ChatEndpoint>(
  { isWhole }: { readonly isWhole: boolean },
  all: readonly Row[],
): readonly Row[] {
  return isWhole ? all : all.filter(({ instead }) => instead === undefined);
}

const completions = loadOnce(() => import("./complete-chat.ts"));
const models = loadOnce(() => import("./models.ts"));
