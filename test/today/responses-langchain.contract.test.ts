import {
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { concat } from "@langchain/core/utils/stream";
import { expect, test } from "vitest";
import { z } from "zod";
import { dinner, langchainModel, requestsOf, serving, toolLoop } from "./responses-service.ts";

const city = tool(() => "Oslo", {
  name: "get_city",
  description: "Where one is.",
  schema: z.object({}),
});

const weather = tool(({ city: of }) => `rain in ${of}`, {
  name: "get_weather",
  description: "The weather of a city.",
  schema: z.object({ city: z.string() }),
});

const tools = [city, weather];

/** Puts the chunks of a stream together. */
async function joined(
  chunks: AsyncIterable<AIMessageChunk>,
  seen: (chunk: AIMessageChunk) => unknown = () => undefined,
): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | undefined;
  for await (const chunk of chunks) {
    seen(chunk);
    whole = whole === undefined ? chunk : concat(whole, chunk);
  }
  if (whole === undefined) throw new Error("Nothing came.");
  return whole;
}

test("LangChain invokes a model", async () => {
  const usage = { prompt_tokens: 30, completion_tokens: 12 };
  await using service = await serving({ reply: { content: "Hello, Ada.", usage } });
  const message = await langchainModel(service).invoke("hi");
  expect(message.text).toBe("Hello, Ada.");
  expect(message.usage_metadata).toMatchObject({ input_tokens: 30, output_tokens: 12 });
  expect(message.response_metadata).toMatchObject({ status: "completed", model_name: "atlas" });
  expect(await requestsOf(service, 1)).toEqual(["200 /v1/responses"]);
});

test("LangChain streams a message", async () => {
  await using service = await serving({ reply: { content: "one two", pace: { by: "word" } } });
  const stream = await langchainModel(service).stream("hi");
  const texts: string[] = [];
  const whole = await joined(stream, ({ text }) => texts.push(text));
  expect(texts.filter(Boolean)).toEqual(["one", " two"]);
  expect(whole).toMatchObject({ usage_metadata: { total_tokens: expect.any(Number) } });
});

test.each(["invoke", "stream"] as const)("LangChain calls tools by %s", async (how) => {
  await using service = await serving(...toolLoop);
  const model = langchainModel(service).bindTools(tools);
  const messages: BaseMessage[] = [new HumanMessage("hi")];
  for (let step = 0; step < 3; step++) {
    const message =
      how === "invoke" ? await model.invoke(messages) : await joined(await model.stream(messages));
    messages.push(message);
    for (const { name, id = "", args } of message.tool_calls ?? []) {
      const content =
        name === "get_city"
          ? await city.invoke({})
          : await weather.invoke({ city: String(args["city"]) });
      messages.push(new ToolMessage({ content, tool_call_id: id }));
    }
  }
  expect(messages.at(-1)).toMatchObject({ text: "Take an umbrella." });
  expect(new Set(await requestsOf(service, 3))).toEqual(new Set(["200 /v1/responses"]));
});

test("LangChain reads an object by its schema", async () => {
  const when = { request: { "text.format.type": "json_schema" } };
  await using service = await serving({ when, reply: { content: dinner } });
  const schema = z.object({ dish: z.string(), minutes: z.number() });
  const model = langchainModel(service).withStructuredOutput(schema, { method: "jsonSchema" });
  expect(await model.invoke("hi")).toEqual(dinner);
});
