import { expect } from "vitest";
import { z } from "zod";
import { ChatOpenAI } from "@langchain/openai";
import { connection, strict } from "../support/clients/stream-outcome.ts";
import { contractModels as models } from "../support/contract-chats.ts";
import { node, type Service } from "../support/transports.ts";

/** A server with the Responses API that answers by these scripts. */
export function serving(...chats: readonly object[]): Promise<Service> {
  const named = chats.map((chat, index) => ({ name: `script ${index}`, ...chat }));
  return node.open({ models, chats: named }, strict);
}

/** Expects that so many requests came, and gives how each was answered. */
export async function requestsOf({ log }: Service, count: number): Promise<readonly string[]> {
  await log.settled(count);
  expect(log.records).toHaveLength(count);
  return log.records.map(({ path, status }) => `${status} ${path}`);
}

const journal = z.object({
  requests: z.array(z.object({ body: z.unknown() })),
});

/** The bodies of all requests, of which there must be so many. */
export async function bodiesOf(service: Service, count: number): Promise<readonly unknown[]> {
  await requestsOf(service, count);
  const { requests } = journal.parse(await (await service.fetch("/__backlot/requests")).json());
  return requests.map(({ body }) => body);
}

/** The scripts of a loop over two tools: where, what it is like there, and what to wear. */
export const toolLoop: readonly object[] = [
  {
    name: "answer",
    when: { toolResult: { name: "get_weather", content: "rain in Oslo" } },
    reply: { content: "Take an umbrella." },
  },
  {
    name: "weather",
    when: { toolResult: { name: "get_city", content: "Oslo" } },
    reply: {
      reasoning: "Oslo it is.",
      toolCalls: [{ name: "get_weather", arguments: { city: "Oslo" } }],
    },
  },
  {
    name: "city",
    when: { tool: "get_city", turn: 0 },
    reply: { content: "Let me see.", toolCalls: [{ name: "get_city", arguments: {} }] },
  },
];

export const dinner = { dish: "Soup", minutes: 20 };

/** A model of LangChain that asks for responses. */
export function langchainModel(
  service: Service,
  options: { timeout?: number; maxRetries?: number } = {},
): ChatOpenAI {
  const { apiKey, ...configuration } = connection(service);
  return new ChatOpenAI({
    model: "atlas",
    apiKey,
    configuration,
    useResponsesApi: true,
    ...options,
  });
}

/** The same for an agent of Mastra. */
export function mastraModel(service: Service) {
  const { apiKey, baseURL: url } = connection(service);
  return { id: "openai/atlas", url, apiKey, api: "responses" } as const;
}
