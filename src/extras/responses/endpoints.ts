import type { ChatEndpoint } from "../../core/chat/endpoints.ts";
import { loadOnce } from "../../core/http/load-once.ts";
import { decodedOrSent } from "../../core/http/url-parts.ts";

const instead =
  'Use chat completions: openai.chat("…") in the AI SDK, setOpenAIAPI("chat_completions") in the Agents SDK.';

const chats = loadOnce(() => import("../../core/chat/complete-chat.ts"));
const wire = loadOnce(async () => (await import("./responses-wire.ts")).responsesWire);
const stored = loadOnce(() => import("./stored-responses.ts"));
const shown = loadOnce(() => import("./show-response.ts"));
const described = loadOnce(() => import("./describe.ts"));

/** The endpoints of the Responses API. */
export const responsesEndpoints: readonly ChatEndpoint[] = [
  {
    method: "POST",
    path: "/responses",
    instead,
    form: "responses",
    example: (model) => ({ model, input: "Hello!" }),
    wire,
    answer: async (call, context) => (await chats()).completeChat(call, context, await wire()),
    describe: async () => (await described()).describeCreate(),
  },
  {
    method: "POST",
    path: "/responses/input_tokens",
    instead,
    answer: async (call, context) => (await import("./count-input.ts")).countInput(call, context),
    describe: async () => (await described()).describeCount(),
  },
  {
    method: "GET",
    path: "/responses/{id}",
    instead,
    answer: async (call, context, id) =>
      (await shown()).showResponse(decodedOrSent(id), call.query, context),
    describe: async () => (await described()).describeRetrieve(),
  },
  {
    method: "DELETE",
    path: "/responses/{id}",
    instead,
    answer: async (_, context, id) => (await stored()).deleteResponse(decodedOrSent(id), context),
    describe: async () => (await described()).describeDelete(),
  },
  {
    method: "POST",
    path: "/responses/{id}/cancel",
    instead,
    answer: async (_, context, id) => (await stored()).cancelResponse(decodedOrSent(id), context),
    describe: async () => (await described()).describeCancel(),
  },
  {
    method: "GET",
    path: "/responses/{id}/input_items",
    instead,
    answer: async (call, context, id) =>
      (await shown()).listInput(decodedOrSent(id), call.query, context),
    describe: async () => (await described()).describeInput(),
  },
];
