import { Agent, handoff, OpenAIProvider, Runner, tool } from "@openai/agents";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { z } from "zod";
import { connection } from "../support/clients/stream-outcome.ts";
import type { Service } from "../support/transports.ts";
import { dinner, requestsOf, serving, toolLoop } from "./responses-service.ts";

/** Agents as they are by default. Only traces, which would go to the real service, are off. */
function runnerFor(service: Service): Runner {
  const modelProvider = new OpenAIProvider({ openAIClient: new OpenAI(connection(service)) });
  return new Runner({ modelProvider, tracingDisabled: true });
}

const city = tool({
  name: "get_city",
  description: "Where one is.",
  parameters: z.object({}),
  execute: () => "Oslo",
});

const weather = tool({
  name: "get_weather",
  description: "The weather of a city.",
  parameters: z.object({ city: z.string() }),
  execute: ({ city: of }) => `rain in ${of}`,
});

const guide = new Agent({ name: "Guide", model: "atlas", tools: [city, weather] });
const desk = Agent.create({ name: "Desk", model: "atlas", handoffs: [handoff(guide)] });

const handingOver = {
  name: "hand over",
  when: { tool: "transfer_to_Guide" },
  reply: { toolCalls: [{ name: "transfer_to_Guide", arguments: {} }] },
};

/** The loop where the turn of the one who hands over counts, too. */
const handedOver = toolLoop.map((chat) =>
  JSON.parse(JSON.stringify(chat).replace('"turn":0', '"turn":1')),
);

test("an agent of the Agents SDK calls tools and answers", async () => {
  await using service = await serving(...toolLoop);
  const { finalOutput, rawResponses } = await runnerFor(service).run(guide, "What to wear?");
  expect(finalOutput).toBe("Take an umbrella.");
  expect(rawResponses).toHaveLength(3);
  expect(new Set(await requestsOf(service, 3))).toEqual(new Set(["200 /v1/responses"]));
});

test("an agent of the Agents SDK hands over to another one", async () => {
  await using service = await serving(handingOver, ...handedOver);
  const { finalOutput, lastAgent } = await runnerFor(service).run(desk, "What to wear?");
  expect([finalOutput, lastAgent?.name]).toEqual(["Take an umbrella.", "Guide"]);
});

test("an agent of the Agents SDK hands over, calls tools and answers while it streams", async () => {
  await using service = await serving(handingOver, ...handedOver);
  const result = await runnerFor(service).run(desk, "What to wear?", { stream: true });
  let text = "";
  for await (const piece of result.toTextStream()) text += piece;
  await result.completed;
  expect(text).toBe("Let me see.Take an umbrella.");
  expect([result.finalOutput, result.lastAgent?.name]).toEqual(["Take an umbrella.", "Guide"]);
});

test("an agent of the Agents SDK goes on from a response by its id", async () => {
  await using service = await serving(...toolLoop, { reply: { content: "You asked before." } });
  const runner = runnerFor(service);
  const { lastResponseId: previousResponseId } = await runner.run(guide, "What to wear?");
  if (previousResponseId === undefined) throw new Error("The response has no id.");
  const next = await runner.run(guide, "Again?", { previousResponseId });
  expect(next.finalOutput).toBe("You asked before.");
});

test("an agent of the Agents SDK gets an answer in its schema", async () => {
  await using service = await serving({ reply: { content: dinner } });
  const outputType = z.object({ dish: z.string(), minutes: z.number() });
  const cook = new Agent({ name: "Cook", model: "atlas", outputType });
  expect((await runnerFor(service).run(cook, "Dinner?")).finalOutput).toEqual(dinner);
});
