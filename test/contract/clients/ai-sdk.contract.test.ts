import {
  APICallError,
  generateText,
  type LanguageModel,
  NoObjectGeneratedError,
  Output,
  RetryError,
  stepCountIs,
  streamText,
  tool,
} from "ai";
import { expect } from "vitest";
import { z } from "zod";
import { compatibleModel, openaiModel } from "../../support/clients/ai-sdk.ts";
import { strict } from "../../support/clients/stream-outcome.ts";
import { contract } from "../../support/contract.ts";
import { contractModels as models } from "../../support/contract-chats.ts";
import { leaveOnceAsked } from "../../support/leaving.ts";
import type { Service, Transport } from "../../support/transports.ts";

interface Opened extends AsyncDisposable {
  readonly service: Service;
  readonly model: LanguageModel;
}

const prompt = "hi";
const weatherScripts = [
  {
    name: "answer",
    when: { toolResult: { name: "get_weather", content: "rain" } },
    reply: { content: "Take an umbrella." },
  },
  {
    name: "call",
    when: { tool: "get_weather" },
    reply: {
      content: "Let me see.",
      toolCalls: [{ name: "get_weather", arguments: { city: "Oslo" } }],
    },
  },
];

/** A tool that keeps what it is asked. */
function weatherTool(cities: string[]) {
  return tool({
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => {
      cities.push(city);
      return "rain";
    },
  });
}

const dinner = { dish: "Soup", minutes: 20 };
const output = Output.object({ schema: z.object({ dish: z.string(), minutes: z.number() }) });

for (const [name, provide] of [
  ["openai-compatible", compatibleModel],
  ["openai", openaiModel],
] as const) {
  const who = `the AI SDK with the ${name} provider`;

  /** A service that gives this reply to everything. */
  async function replying(transport: Transport, reply: object): Promise<Opened> {
    const service = await transport.open({ models, chats: [{ name: "it", reply }] });
    const close = (): PromiseLike<void> => service[Symbol.asyncDispose]();
    return { service, model: provide(service), [Symbol.asyncDispose]: close };
  }

  contract(`lets ${who} generate a text`, async (transport) => {
    const usage = { prompt_tokens: 30, completion_tokens: 12 };
    await using opened = await replying(transport, { content: "Hello, Ada.", usage });
    const result = await generateText({ model: opened.model, prompt });
    expect(result.text).toBe("Hello, Ada.");
    expect(result.finishReason).toBe("stop");
    expect(result.usage).toMatchObject({ inputTokens: 30, outputTokens: 12, totalTokens: 42 });
    expect(result.response).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      modelId: "atlas",
      headers: { "x-request-id": expect.stringMatching(/^req_/) },
    });
  });

  contract(`lets ${who} stream a text`, async (transport) => {
    await using opened = await replying(transport, { content: "one two", pace: { by: "word" } });
    const result = streamText({ model: opened.model, prompt });
    const deltas: string[] = [];
    for await (const delta of result.textStream) deltas.push(delta);
    expect(deltas).toEqual(["one", " two"]);
    expect(await result.finishReason).toBe("stop");
    expect(await result.usage).toMatchObject({ inputTokens: 1, outputTokens: 2 });
  });

  contract(`has ${who} run a tool and go on`, async (transport) => {
    await using service = await transport.open({ models, chats: weatherScripts }, strict);
    const cities: string[] = [];
    const { text, steps } = await generateText({
      model: provide(service),
      prompt,
      tools: { get_weather: weatherTool(cities) },
      stopWhen: stepCountIs(5),
    });
    expect(text).toBe("Take an umbrella.");
    expect(cities).toEqual(["Oslo"]);
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(["tool-calls", "stop"]);
    await service.log.settled(2);
    expect(service.log.records.map(({ answeredBy }) => answeredBy)).toEqual([
      'script "call" reply 1',
      'script "answer" reply 1',
    ]);
  });

  contract(`has ${who} run a tool and go on, streamed`, async (transport) => {
    await using service = await transport.open({ models, chats: weatherScripts }, strict);
    const cities: string[] = [];
    const result = streamText({
      model: provide(service),
      prompt,
      tools: { get_weather: weatherTool(cities) },
      stopWhen: stepCountIs(5),
    });
    const seen: string[] = [];
    for await (const { type } of result.fullStream) if (seen.at(-1) !== type) seen.push(type);
    const text = ["text-start", "text-delta", "text-end"];
    const input = ["tool-input-start", "tool-input-delta", "tool-input-end"];
    const parts = seen.filter((type) =>
      [...text, ...input, "tool-call", "tool-result"].includes(type),
    );
    expect(parts.toSorted()).toEqual(
      [...text, ...input, "tool-call", "tool-result", ...text].toSorted(),
    );
    expect(await result.text).toBe("Take an umbrella.");
    expect(cities).toEqual(["Oslo"]);
  });

  contract(`lets ${who} generate an object by its schema`, async (transport) => {
    await using opened = await replying(transport, { content: dinner });
    const result = await generateText({ model: opened.model, prompt, output });
    expect(result.output).toEqual(dinner);
  });

  contract(`lets ${who} stream an object piece by piece`, async (transport) => {
    await using opened = await replying(transport, { content: dinner, pace: { by: "character" } });
    const result = streamText({ model: opened.model, prompt, output });
    const partial: object[] = [];
    for await (const each of result.partialOutputStream) partial.push(each);
    expect(partial).toContainEqual({ dish: "Sou" });
    expect(partial.at(-1)).toEqual(dinner);
  });

  contract(`has ${who} refuse an object that does not fit`, async (transport) => {
    await using opened = await replying(transport, { content: { dish: 5 } });
    const asked = generateText({ model: opened.model, prompt, output });
    await expect(asked).rejects.toBeInstanceOf(NoObjectGeneratedError);
  });

  contract(`asks for a schema that a script can match, with ${who}`, async (transport) => {
    const request = { "response_format.type": "json_schema" };
    const chats = [{ name: "it", when: { request }, reply: { content: dinner } }];
    await using service = await transport.open({ models, chats }, strict);
    const asked = { model: provide(service), prompt, output };
    expect((await generateText(asked)).output).toEqual(dinner);
  });

  contract(`gives ${who} an error that says why, once`, async (transport) => {
    const error = { status: 400, message: "As scripted.", code: "some_code", param: "model" };
    await using opened = await replying(transport, { error });
    const asked = generateText({ model: opened.model, prompt });
    const caught = await asked.catch((reason: unknown) => reason);
    expect(caught).toBeInstanceOf(APICallError);
    expect(caught).toMatchObject({
      statusCode: 400,
      message: "As scripted.",
      isRetryable: false,
      data: { error: { type: "invalid_request_error", code: "some_code", param: "model" } },
    });
    await opened.service.log.settled(1);
    expect(opened.service.log.records).toHaveLength(1);
  });

  contract(`gives ${who} the error after as many retries as allowed`, async (transport) => {
    const error = { status: 503, message: "Busy.", retryAfterMs: 1 };
    await using opened = await replying(transport, { error });
    const asked = generateText({ model: opened.model, prompt, maxRetries: 3 });
    const caught = await asked.catch((reason: unknown) => reason);
    expect(caught).toBeInstanceOf(RetryError);
    expect(caught).toMatchObject({ reason: "maxRetriesExceeded", lastError: { statusCode: 503 } });
    await opened.service.log.settled(4);
    expect(opened.service.log.records).toHaveLength(4);
  });

  contract(`shows ${who} the error of a stream that does not begin`, async (transport) => {
    const error = { status: 404, message: "No such model.", code: "model_not_found" };
    await using opened = await replying(transport, { error });
    const errors: unknown[] = [];
    const onError = (event: { error: unknown }): void => void errors.push(event.error);
    const { fullStream } = streamText({ model: opened.model, prompt, onError });
    const types: string[] = [];
    for await (const { type } of fullStream) types.push(type);
    expect(types).toContain("error");
    expect(errors).toEqual([expect.objectContaining({ statusCode: 404 })]);
  });

  contract(`ends the stream when ${who} aborts it`, async (transport) => {
    const chunks = ["one", { wait: 3_600_000 }, "two"];
    await using opened = await replying(transport, { chunks });
    const leaving = new AbortController();
    const { fullStream } = streamText({
      model: opened.model,
      prompt,
      abortSignal: leaving.signal,
    });
    const types: string[] = [];
    for await (const { type } of fullStream) {
      types.push(type);
      if (type === "text-delta") leaving.abort();
    }
    expect(types.at(-1)).toBe("abort");
    expect(await opened.service.log.settled(1)).toMatchObject({ aborted: true, chunksSent: 2 });
  });

  contract(`ends the answer when ${who} aborts it`, async (transport) => {
    await using opened = await replying(transport, { content: "x", fault: { kind: "hang" } });
    const leaving = new AbortController();
    const model = provide(opened.service);
    const asked = generateText({ model, prompt, abortSignal: leaving.signal });
    void leaveOnceAsked(opened.service, leaving);
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
    expect(await opened.service.log.settled(1)).toMatchObject({ aborted: true });
  });
}

contract("gives the AI SDK reasoning beside the text", async (transport) => {
  const chats = [{ name: "it", reply: { reasoning: "Hm, so.", content: "Yes." } }];
  await using service = await transport.open({ models, chats });
  const result = await generateText({ model: compatibleModel(service), prompt });
  expect([result.reasoningText, result.text]).toEqual(["Hm, so.", "Yes."]);
});

contract("gives the AI SDK the probabilities of tokens", async (transport) => {
  const chats = [{ name: "it", reply: { content: "one two three" } }];
  await using service = await transport.open({ models, chats });
  const model = openaiModel(service);
  const providerOptions = { openai: { logprobs: 2 } };
  const { providerMetadata } = await generateText({ model, prompt, providerOptions });
  const { logprobs }: { logprobs?: unknown } = providerMetadata?.["openai"] ?? {};
  const tokens = z.array(
    z.object({ token: z.string(), top_logprobs: z.array(z.unknown()).length(2) }),
  );
  expect(
    tokens
      .parse(logprobs)
      .map(({ token }) => token)
      .join(""),
  ).toBe("one two three");
});
