import { expect } from "vitest";
import { contract } from "../support/contract.ts";
import { asking, completions, contractModels, fixedClock } from "../support/contract-chats.ts";
import { ask } from "../support/requests.ts";

const models = contractModels;
const fixed = { seed: 7, clock: fixedClock } as const;
const usage = { prompt_tokens: 3, completion_tokens: 4 };

contract("gives a completion as JSON, byte for byte", async (transport) => {
  const reply = { id: "chatcmpl-1", content: 'Hi "Ada"\n😀', usage };
  await using service = await transport.open({ models, chats: [{ name: "hi", reply }] }, fixed);
  const { status, text, headers } = await ask(service, completions, { json: asking("Hello") });
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("application/json");
  expect(text).toBe(
    '{"id":"chatcmpl-1","object":"chat.completion","created":1704067200,"model":"atlas",' +
      '"choices":[{"index":0,"message":{"role":"assistant","content":"Hi \\"Ada\\"\\n😀","refusal":null},' +
      '"logprobs":null,"finish_reason":"stop"}],' +
      '"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7},"system_fingerprint":null}',
  );
});

contract(
  "gives tool calls with their arguments as JSON text, and null as content",
  async (transport) => {
    const toolCalls = [
      { id: "call_1", name: "get_weather", arguments: { city: "Oslo", days: 2 } },
      { id: "call_2", name: "get_time", arguments: "{ }" },
      { name: "ping" },
    ];
    await using service = await transport.open({
      models,
      chats: [{ name: "tools", reply: { toolCalls } }],
    });
    const { status, body } = await ask(service, completions, { json: asking("Hello") });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      choices: [
        {
          finish_reason: "tool_calls",
          message: {
            role: "assistant",
            content: null,
            tool_calls: [
              {
                id: "call_1",
                type: "function",
                function: { name: "get_weather", arguments: '{"city":"Oslo","days":2}' },
              },
              { id: "call_2", type: "function", function: { name: "get_time", arguments: "{ }" } },
              {
                id: expect.stringMatching(/^call_\w+$/),
                type: "function",
                function: { name: "ping", arguments: "{}" },
              },
            ],
          },
        },
      ],
    });
  },
);

contract(
  "gives reasoning, refusal, finish reason, model and headers as the script has them",
  async (transport) => {
    const reply = {
      content: "Partly.",
      reasoning: "Hm.",
      refusal: "Not the rest.",
      finishReason: "content_filter",
      model: "other-model",
      headers: { "X-Shard": "7" },
    };
    await using service = await transport.open({ models, chats: [{ name: "all", reply }] });
    const { body, headers } = await ask(service, completions, { json: asking("Hello") });
    expect(headers.get("x-shard")).toBe("7");
    expect(body).toMatchObject({
      model: "other-model",
      choices: [
        {
          finish_reason: "content_filter",
          message: { content: "Partly.", reasoning_content: "Hm.", refusal: "Not the rest." },
        },
      ],
    });
  },
);

contract(
  "joins an explicit stream script to one message, leaving out what only a stream has",
  async (transport) => {
    const chunks = [
      { reasoning: "Hm." },
      "One ",
      { comment: "ping" },
      { wait: 1 },
      { raw: ": raw\n\n" },
      "two",
      { toolCall: { name: "add", arguments: { a: 1 } } },
    ];
    await using service = await transport.open({
      models,
      chats: [{ name: "steps", reply: { chunks } }],
    });
    const { body } = await ask(service, completions, { json: asking("Hello") });
    expect(body).toMatchObject({
      choices: [
        {
          finish_reason: "tool_calls",
          message: {
            content: "One two",
            reasoning_content: "Hm.",
            tool_calls: [{ function: { name: "add", arguments: '{"a":1}' } }],
          },
        },
      ],
    });
  },
);

contract(
  "repeats one reply for each of n choices and counts the tokens of all",
  async (transport) => {
    await using service = await transport.open({
      models,
      chats: [{ name: "hi", reply: { content: "Hi there" } }],
    });
    const one = await ask(service, completions, { json: asking("Hello") });
    const three = await ask(service, completions, { json: asking("Hello", { n: 3 }) });
    expect(three.body).toMatchObject({
      choices: [0, 1, 2].map((index) => ({ index, message: { content: "Hi there" } })),
    });
    const [single, triple] = [one, three].map(
      ({ text }) => /"completion_tokens":(\d+)/.exec(text)?.[1],
    );
    expect(Number(triple)).toBe(3 * Number(single));
  },
);

contract("echoes the text of the last user message when no script matches", async (transport) => {
  await using service = await transport.open({ models });
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "first" },
    { role: "assistant", content: "ok" },
    {
      role: "user",
      content: [
        { type: "text", text: "sec" },
        { type: "image_url", image_url: { url: "data:image/png;base64," } },
        { type: "text", text: "ond {{ no template }}" },
      ],
    },
  ];
  const { status, body } = await ask(service, completions, { json: { model: "atlas", messages } });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: expect.stringMatching(/^chatcmpl-\w{24}$/),
    object: "chat.completion",
    model: "atlas",
    choices: [{ message: { content: "Echo: second {{ no template }}" } }],
    usage: { prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) },
  });
});

contract("answers as the variant of the model that was asked for", async (transport) => {
  await using service = await transport.open({ models });
  const { body } = await ask(service, completions, {
    json: asking("Hi", { model: "atlas-large" }),
  });
  expect(body).toMatchObject({ model: "atlas-large-2024-05" });
});

contract("carries a request id on every answer of chat", async (transport) => {
  await using service = await transport.open({ models });
  const answers = [
    await ask(service, completions, { json: asking("Hi") }),
    await ask(service, "GET /v1/models"),
    await ask(service, completions, { json: {} }),
  ];
  const ids = answers.map(({ headers }) => headers.get("x-request-id"));
  expect(ids).toEqual(ids.map(() => expect.stringMatching(/^req_\w+$/)));
  expect(new Set(ids).size).toBe(3);
});

contract("lists the models, chat and embedding ones", async (transport) => {
  await using service = await transport.open({ models });
  const { status, body } = await ask(service, "GET /v1/models");
  expect(status).toBe(200);
  expect(body).toEqual({
    object: "list",
    data: models.map(({ id, created, owned_by }) => ({ id, object: "model", created, owned_by })),
  });
});

for (const id of models.map((model) => model.id)) {
  contract(`retrieves the model ${id} by its encoded id`, async (transport) => {
    await using service = await transport.open({ models });
    const { status, body } = await ask(service, `GET /models/${encodeURIComponent(id)}`);
    expect({ status, body }).toMatchObject({ status: 200, body: { id, object: "model" } });
  });
}

contract(
  "answers with 404 and the nearest model when one is retrieved that does not exist",
  async (transport) => {
    await using service = await transport.open({ models });
    const { status, body } = await ask(service, "GET /v1/models/atlsa");
    expect(status).toBe(404);
    expect(body).toEqual({
      error: {
        message: expect.stringMatching(/`atlsa`.*"atlas"/),
        type: "invalid_request_error",
        param: null,
        code: "model_not_found",
      },
    });
  },
);

contract("gives the same bytes and ids again for the same seed and clock", async (transport) => {
  const texts = [];
  for (const _ of [1, 2]) {
    await using service = await transport.open({ models }, fixed);
    const first = await ask(service, completions, { json: asking("Hi") });
    const second = await ask(service, completions, { json: asking("Hi", { stream: true }) });
    texts.push([first.text, second.text, second.headers.get("x-request-id")]);
  }
  expect(texts[0]).toEqual(texts[1]);
});

contract("gives the tool calls of every choice ids of their own", async (transport) => {
  const toolCalls = [{ name: "a" }, { name: "b" }];
  await using service = await transport.open({
    models,
    chats: [{ name: "it", reply: { toolCalls } }],
  });
  for (const stream of [false, true]) {
    const { text } = await ask(service, completions, { json: asking("x", { n: 3, stream }) });
    const ids = [...text.matchAll(/"id":"(call_[^"]+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(6);
  }
});
