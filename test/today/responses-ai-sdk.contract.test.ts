import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, Output, streamText, tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { connection } from "../support/clients/stream-outcome.ts";
import { bodiesOf, dinner, requestsOf, serving, toolLoop } from "./responses-service.ts";

const prompt = "hi";

const itemsIn = z.object({ input: z.array(z.object({ type: z.string().default("message") })) });

/** The types of the items that a request sent. */
function typesIn(body: unknown): readonly string[] {
  return itemsIn.parse(body).input.map(({ type }) => type);
}

/** The tools of `toolLoop`. */
const tools = {
  get_city: tool({ inputSchema: z.object({}), execute: () => "Oslo" }),
  get_weather: tool({
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => `rain in ${city}`,
  }),
};

test("the AI SDK generates a text", async () => {
  const usage = { prompt_tokens: 30, completion_tokens: 12 };
  const when = { system: "Be brief.", user: prompt };
  await using service = await serving({ when, reply: { content: "Hello, Ada.", usage } });
  const model = createOpenAI(connection(service))("atlas");
  const result = await generateText({ model, system: "Be brief.", prompt });
  expect(result).toMatchObject({ text: "Hello, Ada.", finishReason: "stop", warnings: [] });
  expect(result.usage).toMatchObject({ inputTokens: 30, outputTokens: 12, totalTokens: 42 });
  expect(await requestsOf(service, 1)).toEqual(["200 /v1/responses"]);
});

test("the AI SDK streams a text", async () => {
  await using service = await serving({ reply: { content: "one two", pace: { by: "word" } } });
  const model = createOpenAI(connection(service))("atlas");
  const result = streamText({ model, prompt });
  const texts: string[] = [];
  for await (const text of result.textStream) texts.push(text);
  expect(texts).toEqual(["one", " two"]);
  expect(await result.finishReason).toBe("stop");
  expect((await result.usage).totalTokens).toBeGreaterThan(0);
});

test("the AI SDK runs tools step by step, and refers to what was said", async () => {
  await using service = await serving(...toolLoop);
  const model = createOpenAI(connection(service))("atlas");
  const { text, steps } = await generateText({ model, prompt, tools, stopWhen: isStepCount(5) });
  expect(text).toBe("Take an umbrella.");
  expect(steps.map(({ finishReason }) => finishReason)).toEqual([
    "tool-calls",
    "tool-calls",
    "stop",
  ]);
  const [, second, third] = await bodiesOf(service, 3);
  expect(typesIn(second)).toEqual([
    "message",
    "item_reference",
    "function_call",
    "function_call_output",
  ]);
  expect(typesIn(third).slice(4)).toEqual([
    "item_reference",
    "function_call",
    "function_call_output",
  ]);
});

test("the AI SDK runs tools while it streams", async () => {
  await using service = await serving(...toolLoop);
  const model = createOpenAI(connection(service))("atlas");
  const result = streamText({ model, prompt, tools, stopWhen: isStepCount(5) });
  const results: unknown[] = [];
  for await (const part of result.fullStream) {
    if (part.type === "error") throw part.error;
    if (part.type === "tool-result") results.push(part.output);
  }
  expect(results).toEqual(["Oslo", "rain in Oslo"]);
  expect(await result.text).toBe("Take an umbrella.");
});

test("the AI SDK reads an object by its schema, whole and streamed", async () => {
  await using service = await serving({
    when: { request: { "text.format.type": "json_schema" } },
    reply: { content: dinner },
  });
  const model = createOpenAI(connection(service))("atlas");
  const output = Output.object({ schema: z.object({ dish: z.string(), minutes: z.number() }) });
  const { output: whole } = await generateText({ model, prompt, output });
  expect(whole).toEqual(dinner);
  const partial: unknown[] = [];
  const { partialOutputStream } = streamText({ model, prompt, output });
  for await (const each of partialOutputStream) partial.push(each);
  expect(partial.at(-1)).toEqual(dinner);
});

test("the AI SDK shows the reasoning of a model, and sends it back when nothing is stored", async () => {
  await using service = await serving(...toolLoop);
  const model = createOpenAI(connection(service))("atlas");
  const providerOptions = {
    openai: { store: false, reasoningSummary: "auto", forceReasoning: true },
  };
  const stopWhen = isStepCount(5);
  const { text, steps } = await generateText({ model, prompt, tools, stopWhen, providerOptions });
  expect(text).toBe("Take an umbrella.");
  expect(steps[1]?.reasoningText).toBe("Oslo it is.");
  const bodies = await bodiesOf(service, 3);
  expect(bodies.flatMap(typesIn)).not.toContain("item_reference");
  expect(typesIn(bodies[2])).toContain("reasoning");
});
