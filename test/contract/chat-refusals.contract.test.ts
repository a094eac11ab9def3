import { expect } from "vitest";
import { contract } from "../support/contract.ts";
import { asking, completions, contractModels } from "../support/contract-chats.ts";
import { ask, type Asking } from "../support/requests.ts";

const models = contractModels;
const hi = { role: "user", content: "hi" };

interface Refusal {
  readonly what: string;
  readonly line?: string;
  readonly asking?: Asking;
  readonly status: number;
  readonly code: string | null;
  readonly param?: string;
}

function fields(extra: object): Asking {
  return { json: asking("hi", extra) };
}

function messages(...items: readonly unknown[]): Asking {
  return { json: { model: "atlas", messages: items } };
}

const refusals: readonly Refusal[] = [
  { what: "an unknown path", line: "GET /v1/embeddings", status: 404, code: "unknown_url" },
  {
    what: "an unknown path with a body",
    line: "POST /v1/responses",
    asking: { json: {} },
    status: 404,
    code: "unknown_url",
  },
  {
    what: "GET of completions",
    line: "GET /v1/chat/completions",
    status: 405,
    code: "method_not_supported",
  },
  {
    what: "POST to models",
    line: "POST /v1/models",
    asking: { json: {} },
    status: 405,
    code: "method_not_supported",
  },
  {
    what: "DELETE of a model",
    line: "DELETE /v1/models/atlas",
    status: 405,
    code: "method_not_supported",
  },
  { what: "a body that is not JSON", asking: { body: "{model:" }, status: 400, code: null },
  { what: "an empty body", asking: { body: "" }, status: 400, code: null },
  {
    what: "a body nested too deeply",
    asking: { body: `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}` },
    status: 400,
    code: null,
  },
  { what: "a body that is an array", asking: { json: [] }, status: 400, code: "invalid_type" },
  { what: "a body that is null", asking: { json: null }, status: 400, code: "invalid_type" },
  {
    what: "no model",
    asking: { json: { messages: [hi] } },
    status: 400,
    code: "missing_required_parameter",
    param: "model",
  },
  {
    what: "a model that is no text",
    asking: { json: { model: 5, messages: [hi] } },
    status: 400,
    code: "invalid_type",
    param: "model",
  },
  {
    what: "no messages",
    asking: { json: { model: "atlas" } },
    status: 400,
    code: "missing_required_parameter",
    param: "messages",
  },
  {
    what: "messages that are a text",
    asking: { json: { model: "atlas", messages: "hi" } },
    status: 400,
    code: "invalid_type",
    param: "messages",
  },
  {
    what: "an empty list of messages",
    asking: messages(),
    status: 400,
    code: "empty_array",
    param: "messages",
  },
  {
    what: "a message that is a text",
    asking: messages("hi"),
    status: 400,
    code: "invalid_type",
    param: "messages[0]",
  },
  {
    what: "a message without a role",
    asking: messages(hi, { content: "x" }),
    status: 400,
    code: "missing_required_parameter",
    param: "messages[1].role",
  },
  {
    what: "an unknown role",
    asking: messages({ role: "robot", content: "x" }),
    status: 400,
    code: "invalid_value",
    param: "messages[0].role",
  },
  {
    what: "a user message without content",
    asking: messages({ role: "user" }),
    status: 400,
    code: "missing_required_parameter",
    param: "messages[0].content",
  },
  {
    what: "content that is a number",
    asking: messages({ role: "user", content: 5 }),
    status: 400,
    code: "invalid_type",
    param: "messages[0].content",
  },
  {
    what: "a tool message without its call",
    asking: messages(hi, { role: "tool", content: "x" }),
    status: 400,
    code: "missing_required_parameter",
    param: "messages[1].tool_call_id",
  },
  {
    what: "a temperature that is too high",
    asking: fields({ temperature: 2.1 }),
    status: 400,
    code: "decimal_above_max_value",
    param: "temperature",
  },
  {
    what: "a temperature that is too low",
    asking: fields({ temperature: -1 }),
    status: 400,
    code: "decimal_below_min_value",
    param: "temperature",
  },
  {
    what: "a temperature that is a text",
    asking: fields({ temperature: "1" }),
    status: 400,
    code: "invalid_type",
    param: "temperature",
  },
  {
    what: "a frequency penalty that is too high",
    asking: fields({ frequency_penalty: 3 }),
    status: 400,
    code: "decimal_above_max_value",
    param: "frequency_penalty",
  },
  {
    what: "tools that are no functions",
    asking: fields({ tools: [{ type: "browser" }] }),
    status: 400,
    code: "invalid_value",
    param: "tools[0].type",
  },
  {
    what: "n of 0",
    asking: fields({ n: 0 }),
    status: 400,
    code: "integer_below_min_value",
    param: "n",
  },
  {
    what: "an unknown model",
    asking: fields({ model: "atlsa" }),
    status: 404,
    code: "model_not_found",
  },
  {
    what: "a model that cannot chat",
    asking: fields({ model: "atlas-embed" }),
    status: 404,
    code: "model_not_supported",
    param: "model",
  },
];

for (const {
  what,
  line = completions,
  asking: asked = {},
  status,
  code,
  param = null,
} of refusals) {
  contract(`refuses ${what} in the envelope of chat`, async (transport) => {
    const chats = [{ name: "once", times: 1, reply: { content: "the only answer" } }];
    await using service = await transport.open({ models, chats });
    const answer = await ask(service, line, asked);
    expect(answer.body).toEqual({
      error: { message: expect.any(String), type: "invalid_request_error", param, code },
    });
    expect(answer.status).toBe(status);
    // A refused request uses no reply up.
    expect((await ask(service, completions, fields({}))).text).toContain("the only answer");
  });
}

for (const frequency_penalty of [true, false, -2, 2, 0.5, null]) {
  contract(`accepts ${String(frequency_penalty)} as frequency_penalty`, async (transport) => {
    await using service = await transport.open({ models });
    expect((await ask(service, completions, fields({ frequency_penalty }))).status).toBe(200);
  });
}

contract("accepts fields that it does not know, and any content type", async (transport) => {
  await using service = await transport.open({ models });
  const known = await ask(service, completions, fields({ top_k: 5, "x-extra": {} }));
  const typed = await ask(service, completions, {
    ...fields({}),
    headers: { "content-type": "text/plain" },
  });
  expect([known.status, typed.status]).toEqual([200, 200]);
});

contract("takes any model when the fixtures have none", async (transport) => {
  await using service = await transport.open({});
  const { status, body } = await ask(service, completions, fields({ model: "whatever" }));
  expect({ status, body }).toMatchObject({ status: 200, body: { model: "whatever" } });
});

contract("refuses a body over the limit and keeps answering", async (transport) => {
  await using service = await transport.open({ models }, { bodyLimit: 500 });
  const large = await ask(service, completions, { json: asking("x".repeat(500)) });
  const fitting = await ask(service, completions, { json: asking("x") });
  expect(large.status).toBe(413);
  expect(large.body).toMatchObject({ error: { code: "request_too_large", param: null } });
  expect(fitting.status).toBe(200);
});

contract("names the method that is possible when it refuses another one", async (transport) => {
  await using service = await transport.open({ models });
  const { status, headers } = await ask(service, "GET /v1/chat/completions");
  expect([status, headers.get("allow")]).toEqual([405, "POST"]);
});

contract(
  "answers with the error of a script, also when a stream was asked for",
  async (transport) => {
    const error = {
      status: 429,
      message: "Slow down.",
      type: "tokens",
      code: "rate_limit_exceeded",
      param: "messages",
      retryAfterMs: 1_200,
    };
    await using service = await transport.open({
      models,
      chats: [{ name: "busy", reply: { error } }],
    });
    const { status, headers, text } = await ask(service, completions, fields({ stream: true }));
    expect(status).toBe(429);
    expect(headers.get("retry-after-ms")).toBe("1200");
    expect(headers.get("retry-after")).toBe("2");
    expect(headers.get("content-type")).toBe("application/json");
    expect(text).toBe(
      '{"error":{"message":"Slow down.","type":"tokens","param":"messages","code":"rate_limit_exceeded"}}',
    );
  },
);

for (const [status, type] of [
  [400, "invalid_request_error"],
  [500, "server_error"],
  [503, "server_error"],
] as const) {
  contract(`fills in the usual type for a scripted error ${status}`, async (transport) => {
    const chats = [{ name: "bad", reply: { error: { status, message: "No." } } }];
    await using service = await transport.open({ models, chats });
    const answer = await ask(service, completions, fields({}));
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error: { message: "No.", type, param: null, code: null } });
    expect(answer.headers.has("retry-after")).toBe(false);
  });
}
