import OpenAI from "openai";
import type { RunnableToolFunctionWithParse } from "openai/lib/RunnableFunction";
import { expect } from "vitest";
import { contract } from "../support/contract.ts";
import { contractModels } from "../support/contract-chats.ts";
import type { Service, Transport } from "../support/transports.ts";

const models = contractModels;
const messages = [{ role: "user", content: "hi" }] as const;
const request = { model: "atlas", messages: [...messages] };

interface Opened extends AsyncDisposable {
  readonly service: Service;
  readonly client: OpenAI;
}

/** The client as its users make it: `fetch` given where there is no network, else only the base URL. */
async function open(
  transport: Transport,
  chats: readonly object[],
  apiKeys: readonly string[] = [],
): Promise<Opened> {
  const service = await transport.open({ models, chats, apiKeys });
  const client = new OpenAI({
    apiKey: "local-key",
    baseURL: `${service.baseUrl}/v1`,
    ...(transport.name === "direct" ? { fetch: service.emulator.fetch } : {}),
  });
  return { service, client, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

function saying(reply: object): readonly object[] {
  return [{ name: "it", reply }];
}

contract("lets the openai client create a completion", async (transport) => {
  await using opened = await open(transport, saying({ content: "Hello, Ada." }));
  const completion = await opened.client.chat.completions.create(request);
  expect(completion.choices[0]?.message).toMatchObject({
    role: "assistant",
    content: "Hello, Ada.",
  });
  expect(completion.choices[0]?.finish_reason).toBe("stop");
  expect(completion["_request_id"]).toMatch(/^req_/);
});

contract("lets the openai client iterate over a stream with usage", async (transport) => {
  await using opened = await open(
    transport,
    saying({ content: "one two three", pace: { gapMs: 2, by: "word" } }),
  );
  const stream = await opened.client.chat.completions.create({
    ...request,
    stream: true,
    stream_options: { include_usage: true },
  });
  const pieces: string[] = [];
  let total: number | undefined;
  for await (const chunk of stream) {
    pieces.push(chunk.choices[0]?.delta.content ?? "");
    total = chunk.usage?.total_tokens ?? total;
  }
  expect(pieces.filter(Boolean)).toEqual(["one", " two", " three"]);
  expect(total).toBeGreaterThan(0);
});

contract("lets the openai client's stream helper collect content and events", async (transport) => {
  await using opened = await open(transport, saying({ content: "one two", pace: { by: "word" } }));
  const runner = opened.client.chat.completions.stream(request);
  const deltas: string[] = [];
  runner.on("content", (delta) => deltas.push(delta));
  expect(await runner.finalContent()).toBe("one two");
  expect(deltas.join("")).toBe("one two");
  expect((await runner.finalChatCompletion()).choices[0]?.finish_reason).toBe("stop");
});

const toolScripts = [
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

function weatherTool(asked: unknown[]): RunnableToolFunctionWithParse<object> {
  return {
    type: "function",
    function: {
      name: "get_weather",
      description: "The weather of a city.",
      parameters: { type: "object", properties: { city: { type: "string" } } },
      parse: JSON.parse,
      function: (given: object) => {
        asked.push(given);
        return "rain";
      },
    },
  };
}

for (const stream of [false, true] as const) {
  contract(
    `lets the openai client call a tool and send its result, ${stream ? "streamed" : "as JSON"}`,
    async (transport) => {
      await using opened = await open(transport, toolScripts);
      const asked: unknown[] = [];
      const body = { ...request, tools: [weatherTool(asked)] };
      const { completions } = opened.client.chat;
      const runner = stream
        ? completions.runTools({ ...body, stream })
        : completions.runTools({ ...body, stream });
      expect(await runner.finalContent()).toBe("Take an umbrella.");
      expect(asked).toEqual([{ city: "Oslo" }]);
      await opened.service.log.settled(2);
      expect(opened.service.log.records.map(({ answeredBy }) => answeredBy)).toEqual([
        'script "call" reply 1',
        'script "answer" reply 1',
      ]);
    },
  );
}

contract(
  "lets the openai client put together tool calls that arrive in pieces",
  async (transport) => {
    const toolCalls = [
      { name: "a", arguments: { text: "é😀".repeat(20) } },
      { name: "b", arguments: { n: 1 } },
    ];
    await using opened = await open(transport, saying({ toolCalls, pace: { by: "character" } }));
    const runner = opened.client.chat.completions.stream(request);
    const { tool_calls: calls } = await runner.finalMessage();
    expect(
      calls?.map((call) => (call.type === "function" ? JSON.parse(call.function.arguments) : call)),
    ).toEqual(toolCalls.map((call) => call.arguments));
  },
);

contract("lets the openai client list and retrieve models", async (transport) => {
  await using opened = await open(transport, []);
  const ids: string[] = [];
  for await (const model of opened.client.models.list()) ids.push(model.id);
  expect(ids).toEqual(models.map(({ id }) => id));
  expect(await opened.client.models.retrieve("org/tiny:v1")).toMatchObject({
    id: "org/tiny:v1",
    object: "model",
    owned_by: "org",
  });
});

contract(
  "gives the openai client a not-found error for a model that does not exist, once",
  async (transport) => {
    await using opened = await open(transport, []);
    const error = await opened.client.models.retrieve("nope").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error).toMatchObject({
      status: 404,
      code: "model_not_found",
      type: "invalid_request_error",
    });
    await opened.service.log.settled(1);
    expect(opened.service.log.records).toHaveLength(1);
  },
);

const classes = [
  [400, OpenAI.BadRequestError],
  [401, OpenAI.AuthenticationError],
  [403, OpenAI.PermissionDeniedError],
  [404, OpenAI.NotFoundError],
  [409, OpenAI.ConflictError],
  [422, OpenAI.UnprocessableEntityError],
  [429, OpenAI.RateLimitError],
  [500, OpenAI.InternalServerError],
  [503, OpenAI.InternalServerError],
] as const;

for (const [status, ErrorClass] of classes) {
  contract(
    `gives the openai client its ${ErrorClass.name} for a scripted ${status}`,
    async (transport) => {
      const scripted = { status, message: "As scripted.", code: "some_code", param: "model" };
      await using opened = await open(transport, saying({ error: scripted }));
      const error = await opened.client.chat.completions
        .create(request, { maxRetries: 0 })
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ErrorClass);
      expect(error).toMatchObject({
        status,
        code: "some_code",
        param: "model",
        message: `${status} As scripted.`,
        requestID: expect.stringMatching(/^req_/),
      });
    },
  );
}

contract("gives the openai client an authentication error for a wrong key", async (transport) => {
  await using opened = await open(transport, [], ["another-key"]);
  const error = await opened.client.models.list().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
  expect(error).toMatchObject({ code: "invalid_api_key" });
});

contract(
  "has the openai client try again after a 429, as soon as retry-after-ms says",
  async (transport) => {
    const busy = { error: { status: 429, message: "Slow down.", retryAfterMs: 20 } };
    const replies = [busy, busy, { content: "Now." }];
    await using opened = await open(transport, [{ name: "it", replies }]);
    const start = performance.now();
    const completion = await opened.client.chat.completions.create(request);
    expect(completion.choices[0]?.message.content).toBe("Now.");
    await opened.service.log.settled(3);
    expect(opened.service.log.records.map(({ status }) => status)).toEqual([429, 429, 200]);
    // Without the header the client waits for about half a second, then one second.
    expect(performance.now() - start).toBeLessThan(1_000);
  },
);

contract(
  "has the openai client try a request that no script matches only once",
  async (transport) => {
    const chats = [{ name: "other", when: { user: "bye" }, reply: { content: "x" } }];
    await using service = await transport.open({ models, chats }, { strict: true });
    const client = new OpenAI({
      apiKey: "k",
      baseURL: `${service.baseUrl}/v1`,
      fetch: service.clientFetch,
    });
    const error = await client.chat.completions.create(request).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error).toMatchObject({
      code: "no_script_matched",
      message: expect.stringContaining('"other"'),
    });
    await service.log.settled(1);
    expect(service.log.records).toHaveLength(1);
  },
);

contract("ends the stream when the openai client breaks out of it", async (transport) => {
  await using opened = await open(
    transport,
    saying({ chunks: ["one", { wait: 3_600_000 }, "two"] }),
  );
  const stream = await opened.client.chat.completions.create({ ...request, stream: true });
  for await (const chunk of stream) {
    if (chunk.choices[0]?.delta.content === "one") break;
  }
  expect(await opened.service.log.settled(1)).toMatchObject({ aborted: true, chunksSent: 2 });
});

contract("ends the stream when the openai client's own controller aborts it", async (transport) => {
  await using opened = await open(
    transport,
    saying({ chunks: ["one", { wait: 3_600_000 }, "two"] }),
  );
  const stream = await opened.client.chat.completions.create({ ...request, stream: true });
  const seen: string[] = [];
  for await (const chunk of stream) {
    seen.push(chunk.choices[0]?.delta.content ?? "");
    if (seen.length === 2) stream.controller.abort();
  }
  expect(seen).toEqual(["", "one"]);
  expect(await opened.service.log.settled(1)).toMatchObject({ aborted: true });
});

contract(
  "rejects in the openai client when its signal aborts before the answer",
  async (transport) => {
    await using opened = await open(
      transport,
      saying({ content: "late", pace: { firstTokenMs: 3_600_000 } }),
    );
    const leaving = new AbortController();
    const answer = opened.client.chat.completions.create(request, { signal: leaving.signal });
    setTimeout(() => leaving.abort(), 30);
    await expect(answer).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    expect(await opened.service.log.settled(1)).toMatchObject({ aborted: true });
  },
);
