import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { expect } from "vitest";
import { z } from "zod";
import { langchainModel } from "../../support/clients/langchain.ts";
import { strict } from "../../support/clients/stream-outcome.ts";
import { contract } from "../../support/contract.ts";
import { contractModels as models } from "../../support/contract-chats.ts";
import { leaveOnceAsked } from "../../support/leaving.ts";

function saying(reply: object): { models: typeof models; chats: readonly object[] } {
  return { models, chats: [{ name: "it", reply }] };
}

contract("lets LangChain invoke a model", async (transport) => {
  const usage = { prompt_tokens: 30, completion_tokens: 12 };
  await using service = await transport.open(saying({ content: "Hello, Ada.", usage }));
  const message = await langchainModel(service).invoke("hi");
  expect(message).toBeInstanceOf(AIMessage);
  expect(message.text).toBe("Hello, Ada.");
  expect(message.id).toMatch(/^chatcmpl-/);
  expect(message.usage_metadata).toMatchObject({
    input_tokens: 30,
    output_tokens: 12,
    total_tokens: 42,
  });
  expect(message.response_metadata).toMatchObject({ finish_reason: "stop", model_name: "atlas" });
});

contract("lets LangChain stream a message", async (transport) => {
  await using service = await transport.open(saying({ content: "one two", pace: { by: "word" } }));
  const texts: string[] = [];
  for await (const { text } of await langchainModel(service).stream("hi")) texts.push(text);
  expect(texts.filter(Boolean)).toEqual(["one", " two"]);
});

const weather = tool(({ city }: { city: string }) => `rain in ${city}`, {
  name: "get_weather",
  description: "The weather of a city.",
  schema: z.object({ city: z.string() }),
});

contract("lets LangChain call a tool and send its result", async (transport) => {
  const chats = [
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
  await using service = await transport.open({ models, chats }, strict);
  const model = langchainModel(service).bindTools([weather]);
  const question = new HumanMessage("What is the weather in Oslo?");
  const called = await model.invoke([question]);
  const results: unknown[] = [];
  for (const call of called.tool_calls ?? []) {
    results.push(await weather.invoke({ ...call, type: "tool_call" }));
  }
  const messages = results.filter((result) => ToolMessage.isInstance(result));
  const answer = await model.invoke([question, called, ...messages]);
  expect(answer.text).toBe("Take an umbrella.");
});

const recipe = z.object({ dish: z.string(), minutes: z.number() });
const dinner = { dish: "Soup", minutes: 20 };

contract("lets LangChain read an object by its schema", async (transport) => {
  await using service = await transport.open(saying({ content: dinner }), strict);
  const model = langchainModel(service).withStructuredOutput(recipe, { method: "jsonSchema" });
  expect(await model.invoke("hi")).toEqual(dinner);
});

contract("lets LangChain read an object by a tool", async (transport) => {
  const calling = saying({ toolCalls: [{ name: "recipe", arguments: dinner }] });
  await using service = await transport.open(calling, strict);
  const options = { method: "functionCalling", name: "recipe" } as const;
  const model = langchainModel(service).withStructuredOutput(recipe, options);
  expect(await model.invoke("hi")).toEqual(dinner);
});

contract("lets LangChain read an object in JSON mode", async (transport) => {
  await using service = await transport.open(saying({ content: dinner }));
  const model = langchainModel(service).withStructuredOutput(recipe, { method: "jsonMode" });
  expect(await model.invoke("Answer in JSON.")).toEqual(dinner);
});

contract("gives LangChain several generations", async (transport) => {
  const choices = [{ content: "one" }, { content: "two" }];
  await using service = await transport.open(saying({ choices }));
  const { generations } = await langchainModel(service, { n: 2 }).generate([
    [new HumanMessage("hi")],
  ]);
  expect(generations[0]?.map(({ text }) => text)).toEqual(["one", "two"]);
});

contract("gives LangChain the probabilities of tokens", async (transport) => {
  await using service = await transport.open(saying({ content: "one two" }));
  const message = await langchainModel(service, { logprobs: true }).invoke("hi");
  const { logprobs } = z
    .object({ logprobs: z.object({ content: z.array(z.object({ token: z.string() })) }) })
    .parse(message.response_metadata);
  expect(logprobs.content.map(({ token }) => token).join("")).toBe("one two");
});

const errors = [
  [401, "invalid_api_key", "MODEL_AUTHENTICATION"],
  [404, "model_not_found", "MODEL_NOT_FOUND"],
  [429, "insufficient_quota", undefined],
] as const;

for (const [status, code, lcCode] of errors) {
  contract(`gives LangChain a ${status} with its code, once`, async (transport) => {
    const error = { status, message: "As scripted.", code };
    await using service = await transport.open(saying({ error }));
    const asked = langchainModel(service, { maxRetries: 2 }).invoke("hi");
    const caught = await asked.catch((reason: unknown) => reason);
    expect(caught).toMatchObject({ status, code, ...(lcCode && { lc_error_code: lcCode }) });
    await service.log.settled(1);
    expect(service.log.records).toHaveLength(1);
  });
}

contract("lets LangChain see that a conversation is too long for its model", async (transport) => {
  await using service = await transport.open({ models });
  const asked = langchainModel(service, { model: "atlas-large" }).invoke("word ".repeat(9000));
  await expect(asked).rejects.toMatchObject({ name: "ContextOverflowError" });
});

contract("ends the stream when LangChain's loop is left", async (transport) => {
  await using service = await transport.open(
    saying({ chunks: ["one", { wait: 3_600_000 }, "two"] }),
  );
  const leaving = new AbortController();
  const { signal } = leaving;
  const texts: string[] = [];
  const reading = (async () => {
    for await (const { text } of await langchainModel(service).stream("hi", { signal })) {
      texts.push(text);
      if (text === "one") leaving.abort();
    }
  })();
  await expect(reading).rejects.toThrow(/abort/i);
  expect(texts.join("")).toBe("one");
  expect(await service.log.settled(1)).toMatchObject({ aborted: true, chunksSent: 2 });
});

contract("rejects in LangChain when its signal aborts before the answer", async (transport) => {
  await using service = await transport.open(saying({ content: "x", fault: { kind: "hang" } }));
  const leaving = new AbortController();
  const asked = langchainModel(service).invoke("hi", { signal: leaving.signal });
  void leaveOnceAsked(service, leaving);
  await expect(asked).rejects.toThrow(/abort/i);
  expect(await service.log.settled(1)).toMatchObject({ aborted: true });
});

contract("lets LangChain run into its timeout when nothing comes", async (transport) => {
  await using service = await transport.open(saying({ content: "x", fault: { kind: "hang" } }));
  const model = langchainModel(service, { timeout: 20, maxRetries: 0 });
  await expect(model.invoke("hi")).rejects.toMatchObject({ name: "TimeoutError" });
});
