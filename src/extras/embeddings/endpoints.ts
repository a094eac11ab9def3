import type { ChatEndpoint } from "../../core/chat/endpoints.ts";
import { loadOnce } from "../../core/http/load-once.ts";
import { decodedOrSent } from "../../core/http/url-parts.ts";

/** Embeddings of texts, at the service's own address and at Azure's. */
export const embeddingsEndpoints: readonly ChatEndpoint[] = [
  {
    method: "POST",
    path: "/embeddings",
    instead: "",
    answer: async (call, context) => (await embeddings()).createEmbeddings(call, context),
    describe: async () => (await import("./describe.ts")).describeEmbeddings(),
  },
  {
    method: "POST",
    path: "/openai/deployments/{deployment}/embeddings",
    instead: "",
    answer: async (call, context, deployment) =>
      (await embeddings()).createEmbeddings(call, {
        ...context,
        deployment: decodedOrSent(deployment),
      }),
    describe: async () => (await import("./describe.ts")).describeDeployment(),
  },
];

const embeddings = loadOnce(() => import("./create-embeddings.ts"));
