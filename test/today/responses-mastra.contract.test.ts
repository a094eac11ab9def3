import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Service } from "../support/transports.ts";
import { dinner, mastraModel, requestsOf, serving, toolLoop } from "./responses-service.ts";

const tools = {
  get_city: createTool({
    id: "get_city",
    description: "Where one is.",
    inputSchema: z.object({}),
    execute: () => Promise.resolve("Oslo"),
  }),
  get_weather: createTool({
    id: "get_weather",
    description: "The weather of a city.",
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => Promise.resolve(`rain in ${city}`),
  }),
};

function guideOf(service: Service): Agent {
  const model = mastraModel(service);
  return new Agent({ id: "guide", name: "Guide", instructions: "Be brief.", model, tools });
}

test("an agent of Mastra calls tools and answers", async () => {
  await using service = await serving(...toolLoop);
  const { text, steps, finishReason } = await guideOf(service).generate("What to wear?");
  expect(text).toBe("Let me see.Take an umbrella.");
  expect([steps.length, finishReason]).toEqual([3, "stop"]);
  expect(new Set(await requestsOf(service, 3))).toEqual(new Set(["200 /v1/responses"]));
});

test("an agent of Mastra calls tools and answers while it streams", async () => {
  await using service = await serving(...toolLoop);
  const { textStream, finishReason } = await guideOf(service).stream("What to wear?");
  let text = "";
  for await (const piece of textStream) text += piece;
  expect(text).toBe("Let me see.Take an umbrella.");
  expect(await finishReason).toBe("stop");
});

test("an agent of Mastra gets an object by its schema", async () => {
  const when = { request: { "text.format.type": "json_schema" } };
  await using service = await serving({ when, reply: { content: dinner } });
  const schema = z.object({ dish: z.string(), minutes: z.number() });
  const structuredOutput = { schema };
  const { object } = await guideOf(service).generate("Dinner?", { structuredOutput });
  expect(object).toEqual(dinner);
});
