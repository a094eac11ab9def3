import type OpenAI from "openai";
import { ContentFilterFinishReasonError, LengthFinishReasonError } from "openai/core/error";
import { zodFunction, zodResponseFormat } from "openai/helpers/zod";
import { expect } from "vitest";
import { z } from "zod";
import { hello, openaiClient, reasoningOf } from "../../support/clients/openai.ts";
import { strict } from "../../support/clients/stream-outcome.ts";
import { contract } from "../../support/contract.ts";
import { contractModels as models } from "../../support/contract-chats.ts";
import type { Service, Transport } from "../../support/transports.ts";

interface Opened extends AsyncDisposable {
  readonly service: Service;
  readonly completions: OpenAI["chat"]["completions"];
}

/** A service that gives this reply to everything. */
async function replying(transport: Transport, reply: object): Promise<Opened> {
  const service = await transport.open({ models, chats: [{ name: "it", reply }] });
  const { completions } = openaiClient(service).chat;
  return { service, completions, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

contract("lets the openai client create a completion", async (transport) => {
  await using opened = await replying(transport, { content: "Hello, Ada." });
  const completion = await opened.completions.create(hello);
  expect(completion).toMatchObject({
    object: "chat.completion",
    model: "atlas",
    choices: [{ index: 0, message: { role: "assistant", content: "Hello, Ada." } }],
  });
  expect(completion.choices[0]?.finish_reason).toBe("stop");
  expect(completion["_request_id"]).toMatch(/^req_/);
});

contract("gives the openai client the variant of the model that it asks for", async (transport) => {
  await using opened = await replying(transport, { content: "Hello." });
  const { data, response } = await opened.completions
    .create({ ...hello, model: "atlas-large" })
    .withResponse();
  expect(data.model).toBe("atlas-large-2024-05");
  expect(data).toHaveProperty("_request_id", response.headers.get("x-request-id"));
});

contract(
  "has the openai client see the usage in the last chunk, if asked for",
  async (transport) => {
    await using opened = await replying(transport, { content: "one two", pace: { by: "word" } });
    const asked = { ...hello, stream: true, stream_options: { include_usage: true } } as const;
    const usages: unknown[] = [];
    for await (const { usage } of await opened.completions.create(asked)) usages.push(usage);
    const last = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    expect(usages).toEqual([null, null, null, null, expect.objectContaining(last)]);
    const others = await opened.completions.create({ ...hello, stream: true });
    for await (const chunk of others) expect(chunk).not.toHaveProperty("usage");
  },
);

contract("has the openai client's stream helper tell of everything in order", async (transport) => {
  await using opened = await replying(transport, { content: "one two", pace: { by: "word" } });
  const runner = opened.completions.stream(hello);
  const told: unknown[] = [];
  runner.on("connect", () => told.push("connect"));
  runner.on("content.delta", ({ delta, snapshot }) => told.push([delta, snapshot]));
  runner.on("content.done", ({ content }) => told.push(["done", content]));
  runner.on("finalContent", (content) => told.push(["final", content]));
  runner.on("end", () => told.push("end"));
  await runner.done();
  const texts = [
    ["one", "one"],
    [" two", "one two"],
    ["done", "one two"],
    ["final", "one two"],
  ];
  // The helper tells of the empty content beside the role too.
  expect(told.filter((each) => Array.isArray(each) && each[0] !== "")).toEqual(texts);
  expect([told[0], told.at(-1)]).toEqual(["connect", "end"]);
});

const weatherScripts = [
  {
    name: "answer",
    when: { toolResult: { name: "get_weather", content: "rain" } },
    reply: { content: "Take an umbrella." },
  },
  {
    name: "call",
    when: { tool: "get_weather" },
    reply: { toolCalls: [{ name: "get_weather", arguments: { city: "Oslo" } }] },
  },
];

for (const stream of [false, true] as const) {
  const how = stream ? "streamed" : "as JSON";
  contract(`has the openai client run a tool and send its result, ${how}`, async (transport) => {
    await using service = await transport.open({ models, chats: weatherScripts }, strict);
    const cities: string[] = [];
    const tool = zodFunction({
      name: "get_weather",
      parameters: z.object({ city: z.string() }),
      function: ({ city }) => {
        cities.push(city);
        return "rain";
      },
    });
    const { completions } = openaiClient(service).chat;
    const runner = stream
      ? completions.runTools({ ...hello, tools: [tool], stream })
      : completions.runTools({ ...hello, tools: [tool], stream });
    expect(await runner.finalContent()).toBe("Take an umbrella.");
    expect(cities).toEqual(["Oslo"]);
    await service.log.settled(2);
    expect(service.log.records.map(({ answeredBy }) => answeredBy)).toEqual([
      'script "call" reply 1',
      'script "answer" reply 1',
    ]);
  });
}

contract("lets the openai client put tool calls together from pieces", async (transport) => {
  const toolCalls = [
    { name: "a", arguments: { text: "é😀".repeat(20) } },
    { name: "b", arguments: { n: 1 } },
  ];
  await using opened = await replying(transport, { toolCalls, pace: { by: "character" } });
  const runner = opened.completions.stream(hello);
  const whole: unknown[] = [];
  runner.on("tool_calls.function.arguments.done", ({ name, arguments: text }) => {
    whole.push({ name, arguments: JSON.parse(text) });
  });
  await runner.done();
  expect(whole).toEqual(toolCalls);
});

const recipe = z.object({ dish: z.string(), minutes: z.number() });
const dinner = { dish: "Soup", minutes: 20 };
const recipeFormat = zodResponseFormat(recipe, "recipe");

contract("lets the openai client parse an object by its schema", async (transport) => {
  await using opened = await replying(transport, { content: dinner });
  const asked = { ...hello, response_format: recipeFormat };
  const { choices } = await opened.completions.parse(asked);
  expect(choices[0]?.message.parsed).toEqual(dinner);
  const streamed = await opened.completions.stream(asked).finalChatCompletion();
  expect(streamed.choices[0]?.message.parsed).toEqual(dinner);
});

contract("lets the openai client parse a strict tool's arguments", async (transport) => {
  const call = { name: "cook", arguments: dinner };
  await using opened = await replying(transport, { toolCalls: [call] });
  const tools = [zodFunction({ name: "cook", parameters: recipe })];
  const { choices } = await opened.completions.parse({ ...hello, tools });
  expect(choices[0]?.message.tool_calls?.[0]?.function.parsed_arguments).toEqual(dinner);
});

for (const [finishReason, ErrorClass] of [
  ["length", LengthFinishReasonError],
  ["content_filter", ContentFilterFinishReasonError],
] as const) {
  contract(`has the openai client not parse what ends with ${finishReason}`, async (transport) => {
    await using opened = await replying(transport, { content: "{", finishReason });
    const asked = { ...hello, response_format: recipeFormat };
    await expect(opened.completions.parse(asked)).rejects.toThrow(ErrorClass);
    await expect(opened.completions.stream(asked).done()).rejects.toThrow(ErrorClass);
  });
}

contract("gives the openai client a refusal, as JSON and streamed", async (transport) => {
  await using opened = await replying(transport, { refusal: "I would rather not." });
  const asked = { ...hello, response_format: recipeFormat };
  const { choices } = await opened.completions.parse(asked);
  expect(choices[0]?.message).toMatchObject({ refusal: "I would rather not.", parsed: null });
  const refusals: string[] = [];
  const runner = opened.completions.stream(asked);
  runner.on("refusal.done", ({ refusal }) => refusals.push(refusal));
  await runner.done();
  expect(refusals).toEqual(["I would rather not."]);
});

contract("gives the openai client the probability of each token", async (transport) => {
  await using opened = await replying(transport, { content: "one two three" });
  const asked = { ...hello, logprobs: true, top_logprobs: 2 };
  const { choices } = await opened.completions.create(asked);
  const tokens = choices[0]?.logprobs?.content ?? [];
  expect(tokens.map(({ token }) => token).join("")).toBe("one two three");
  expect(tokens.map(({ top_logprobs }) => top_logprobs.length)).toEqual(tokens.map(() => 2));
  expect(Math.max(...tokens.map(({ logprob }) => logprob))).toBeLessThanOrEqual(0);
});

contract("has the openai client's stream helper collect probabilities", async (transport) => {
  await using opened = await replying(transport, { content: "one two three" });
  const runner = opened.completions.stream({ ...hello, logprobs: true });
  const told: string[] = [];
  runner.on("logprobs.content.delta", ({ content }) => {
    told.push(...content.map(({ token }) => token));
  });
  const { choices } = await runner.finalChatCompletion();
  expect(told.join("")).toBe("one two three");
  expect(choices[0]?.logprobs?.content?.map(({ token }) => token)).toEqual(told);
});

contract("gives the openai client each of several choices", async (transport) => {
  const choices = [{ content: "one" }, { content: "two", finishReason: "length" }];
  await using opened = await replying(transport, { choices });
  const completion = await opened.completions.create({ ...hello, n: 3 });
  expect(
    completion.choices.map(({ index, message, finish_reason: finish }) => [
      index,
      message.content,
      finish,
    ]),
  ).toEqual([
    [0, "one", "stop"],
    [1, "two", "length"],
    [2, "one", "stop"],
  ]);
  const streamed = await opened.completions.stream({ ...hello, n: 3 }).finalChatCompletion();
  expect(streamed.choices.map(({ message }) => message.content)).toEqual(["one", "two", "one"]);
});

contract("streams as many choices to the openai client as it takes", async (transport) => {
  await using opened = await replying(transport, { content: "one" });
  const runner = opened.completions.stream({ ...hello, n: 128 });
  const { choices } = await runner.finalChatCompletion();
  expect(choices.map(({ message }) => message.content)).toEqual(Array(128).fill("one"));
});

contract("gives the openai client reasoning beside the content", async (transport) => {
  await using opened = await replying(transport, { reasoning: "Hm, so.", content: "Yes." });
  const { choices } = await opened.completions.create(hello);
  expect(choices[0]?.message.content).toBe("Yes.");
  expect(reasoningOf(choices[0]?.message)).toBe("Hm, so.");
});

contract("ends the openai client's completion at its limit and its stop", async (transport) => {
  await using opened = await replying(transport, { content: "one two three" });
  const short = await opened.completions.create({ ...hello, max_completion_tokens: 2 });
  expect(short).toMatchObject({
    choices: [{ message: { content: "one two" }, finish_reason: "length" }],
    usage: { completion_tokens: 2 },
  });
  const stopped = await opened.completions.create({ ...hello, stop: [" three"] });
  expect(stopped).toMatchObject({
    choices: [{ message: { content: "one two" }, finish_reason: "stop" }],
  });
});

contract("has the openai client take JSON under another type for a text", async (transport) => {
  const headers = { "content-type": "text/plain" };
  await using opened = await replying(transport, { content: "Hello.", headers });
  const text: unknown = await opened.completions.create(hello);
  expect(text).toEqual(expect.stringContaining('"content":"Hello."'));
});
