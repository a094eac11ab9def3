import type { ChatEndpoint } from "../../core/chat/endpoints.ts";
import { loadOnce } from "../../core/http/load-once.ts";
import { decodedOrSent } from "../../core/http/url-parts.ts";

const answers = loadOnce(() => import("./answers.ts"));
const described = loadOnce(() => import("./describe.ts"));

/** The endpoints for stored completions, those of requests with `store: true`. */
export const storedCompletionsEndpoints: readonly ChatEndpoint[] = [
  {
    method: "GET",
    path: "/chat/completions",
    instead: "",
    answer: async ({ query }, context) => (await answers()).listCompletions(query, context),
    describe: async () => (await described()).describeList(),
  },
  {
    method: "GET",
    path: "/chat/completions/{id}",
    instead: "",
    answer: async (_, context, id) => (await answers()).showCompletion(decodedOrSent(id), context),
    describe: async () => (await described()).describeRetrieve(),
  },
  {
    method: "POST",
    path: "/chat/completions/{id}",
    instead: "",
    answer: async (call, context, id) =>
      (await answers()).updateCompletion(decodedOrSent(id), call, context),
    describe: async () => (await described()).describeUpdate(),
  },
  {
    method: "DELETE",
    path: "/chat/completions/{id}",
    instead: "",
    answer: async (_, context, id) =>
      (await answers()).deleteCompletion(decodedOrSent(id), context),
    describe: async () => (await described()).describeDelete(),
  },
  {
    method: "GET",
    path: "/chat/completions/{id}/messages",
    instead: "",
    answer: async ({ query }, context, id) =>
      (await answers()).listMessages(decodedOrSent(id), query, context),
    describe: async () => (await described()).describeMessages(),
  },
];
