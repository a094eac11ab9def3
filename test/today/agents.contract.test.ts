import { Agent, OpenAIProvider, Runner, tool } from "@openai/agents";
import OpenAI from "openai";
import { VERSION } from "openai/version";
import { expect, test } from "vitest";
import { z } from "zod";
import { connection, strict } from "../support/clients/stream-outcome.ts";
import { contract } from "../support/contract.ts";
import { contractModels as models } from "../support/contract-chats.ts";
import { isOpenai6 } from "../support/clients/openai.ts";
import { readVersionsOfToday } from "../support/today.ts";
import type { Service } from "../support/transports.ts";

/** Agents whose model is asked by chat completions. Traces would go to the real service. */
function runnerFor(service: Service): Runner {
  const openAIClient = new OpenAI(connection(service));
  const modelProvider = new OpenAIProvider({ openAIClient, useResponses: false });
  return new Runner({ modelProvider, tracingDisabled: true });
}

const weather = tool({
  name: "get_weather",
  description: "The weather of a city.",
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `rain in ${city}`,
});

const agent = new Agent({ name: "Guide", model: "atlas", tools: [weather] });

const toolChats = [
  {
    name: "answer",
    when: { toolResult: { name: "get_weather", content: "rain in Oslo" } },
    reply: { content: "Take an umbrella." },
  },
  {
    name: "call",
    when: { tool: "get_weather" },
    reply: { toolCalls: [{ name: "get_weather", arguments: { city: "Oslo" } }] },
  },
];

contract("lets an agent of the Agents SDK call a tool and answer", async (transport) => {
  await using service = await transport.open({ models, chats: toolChats }, strict);
  const { finalOutput } = await runnerFor(service).run(agent, "What is the weather in Oslo?");
  expect(finalOutput).toBe("Take an umbrella.");
});

contract("streams to an agent of the Agents SDK", async (transport) => {
  await using service = await transport.open({ models, chats: toolChats }, strict);
  const result = await runnerFor(service).run(agent, "What is the weather in Oslo?", {
    stream: true,
  });
  let text = "";
  for await (const piece of result.toTextStream()) text += piece;
  await result.completed;
  expect(text).toBe("Take an umbrella.");
  expect(result.finalOutput).toBe("Take an umbrella.");
});

contract("gives an agent of the Agents SDK an answer in its schema", async (transport) => {
  const chats = [{ name: "it", reply: { content: '{"city":"Oslo","rain":true}' } }];
  await using service = await transport.open({ models, chats }, strict);
  const outputType = z.object({ city: z.string(), rain: z.boolean() });
  const reporter = new Agent({ name: "Reporter", model: "atlas", outputType });
  const { finalOutput } = await runnerFor(service).run(reporter, "The weather in Oslo?");
  expect(finalOutput).toEqual({ city: "Oslo", rain: true });
});

contract("lets an agent of the Agents SDK fail as the service does", async (transport) => {
  const chats = [{ name: "it", reply: { error: { status: 400, message: "Too hot." } } }];
  await using service = await transport.open({ models, chats }, strict);
  const run = runnerFor(service).run(agent, "hi");
  await expect(run).rejects.toThrow("Too hot.");
});

test("the clients of all these suites are those of this folder", () => {
  expect(VERSION).toBe(readVersionsOfToday()["openai"]);
  expect(isOpenai6).toBe(false);
});
