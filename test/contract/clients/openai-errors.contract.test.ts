import OpenAI from "openai";
import { expect } from "vitest";
import { hello, openaiClient } from "../../support/clients/openai.ts";
import type { Fields } from "../../support/clients/stream-outcome.ts";
import { contract } from "../../support/contract.ts";
import { contractModels as models } from "../../support/contract-chats.ts";

const classes = [
  [400, OpenAI.BadRequestError],
  [401, OpenAI.AuthenticationError],
  [403, OpenAI.PermissionDeniedError],
  [404, OpenAI.NotFoundError],
  [409, OpenAI.ConflictError],
  [418, OpenAI.APIError],
  [422, OpenAI.UnprocessableEntityError],
  [429, OpenAI.RateLimitError],
  [500, OpenAI.InternalServerError],
  [503, OpenAI.InternalServerError],
] as const;

for (const [status, ErrorClass] of classes) {
  for (const stream of [false, true]) {
    const how = `scripted ${status}${stream ? " instead of a stream" : ""}`;
    contract(`gives the openai client its ${ErrorClass.name} for a ${how}`, async (transport) => {
      const error = { status, message: "As scripted.", code: "some_code", param: "model" };
      const chats = [{ name: "it", reply: { error } }];
      await using service = await transport.open({ models, chats });
      const { completions } = openaiClient(service, { maxRetries: 0 }).chat;
      const caught = await completions
        .create({ ...hello, stream })
        .catch((reason: unknown) => reason);
      expect(caught).toBeInstanceOf(ErrorClass);
      expect(caught).toMatchObject({
        status,
        code: "some_code",
        param: "model",
        message: `${status} As scripted.`,
        requestID: expect.stringMatching(/^req_/),
      });
    });
  }
}

interface Refusal {
  readonly what: string;
  readonly fields: Fields;
  readonly error: object;
}

const refusals: readonly Refusal[] = [
  {
    what: "messages that are missing",
    fields: { messages: undefined },
    error: { status: 400, code: "missing_required_parameter", param: "messages" },
  },
  {
    what: "a role of the wrong type",
    fields: { messages: [{ role: 5, content: "hi" }] },
    error: { status: 400, code: "invalid_type", param: "messages[0].role" },
  },
  {
    what: "too high a temperature",
    fields: { temperature: 3 },
    error: { status: 400, code: "decimal_above_max_value", param: "temperature" },
  },
  {
    what: "an argument that nobody knows",
    fields: { temprature: 1 },
    error: { status: 400, code: null, param: null },
  },
  {
    what: "a model that does not exist",
    fields: { model: "nope" },
    error: { status: 404, code: "model_not_found", param: null },
  },
  {
    what: "a tool message that answers no call",
    fields: {
      messages: [
        { role: "user", content: "hi" },
        { role: "tool", tool_call_id: "call_1", content: "rain" },
      ],
    },
    error: { status: 400, code: null, param: "messages.[1].role" },
  },
  {
    what: "more tokens than the model takes",
    fields: { model: "atlas-large", messages: [{ role: "user", content: "word ".repeat(9000) }] },
    error: { status: 400, code: "context_length_exceeded", param: "messages" },
  },
];

for (const { what, fields, error } of refusals) {
  contract(`tells the openai client once of ${what}`, async (transport) => {
    await using service = await transport.open({ models }, { profiles: { chat: "openai" } });
    const caught = await openaiClient(service)
      .chat.completions.create({ ...hello, ...fields })
      .catch((reason: unknown) => reason);
    expect(caught).toBeInstanceOf(OpenAI.APIError);
    expect(caught).toMatchObject({ type: "invalid_request_error", ...error });
    await service.log.settled(1);
    expect(service.log.records).toHaveLength(1);
  });
}

contract("gives the openai client an authentication error for a wrong key", async (transport) => {
  await using service = await transport.open({ models }, { apiKeys: ["another-key"] });
  const caught = await openaiClient(service, { apiKey: "sk-my-secret-key-1234" })
    .models.list()
    .catch((reason: unknown) => reason);
  expect(caught).toBeInstanceOf(OpenAI.AuthenticationError);
  expect(caught).toMatchObject({
    code: "invalid_api_key",
    message: expect.not.stringContaining("secret"),
  });
});

contract("tells the openai client once that no script matches", async (transport) => {
  const chats = [{ name: "other", when: { user: "HI" }, reply: { content: "x" } }];
  await using service = await transport.open({ models, chats }, { strict: true });
  const caught = await openaiClient(service)
    .chat.completions.create(hello)
    .catch((reason: unknown) => reason);
  expect(caught).toBeInstanceOf(OpenAI.NotFoundError);
  expect(caught).toMatchObject({
    code: "no_script_matched",
    message: expect.stringContaining('"other"'),
  });
  await service.log.settled(1);
  expect(service.log.records).toHaveLength(1);
});

contract("shows the openai client how much it may still ask", async (transport) => {
  await using service = await transport.open({ models, limits: { requestsPerMinute: 1 } });
  const { completions } = openaiClient(service, { maxRetries: 0 }).chat;
  const { response } = await completions.create(hello).withResponse();
  expect(response.headers.get("x-ratelimit-limit-requests")).toBe("1");
  expect(response.headers.get("x-ratelimit-remaining-requests")).toBe("0");
  const caught = await completions.create(hello).catch((reason: unknown) => reason);
  expect(caught).toBeInstanceOf(OpenAI.RateLimitError);
  expect(caught).toMatchObject({ type: "requests", code: "rate_limit_exceeded" });
  const { headers } = caught as InstanceType<typeof OpenAI.RateLimitError>;
  expect(Number(headers?.get("retry-after-ms"))).toBeGreaterThan(0);
});

contract("gives the openai client the message of an error in the stream", async (transport) => {
  const error = { message: "It broke.", type: "server_error", code: "broken" };
  const fault = { kind: "error", afterChunks: 2, error };
  const chats = [{ name: "it", reply: { content: "one two", fault } }];
  await using service = await transport.open({ models, chats });
  const stream = await openaiClient(service).chat.completions.create({ ...hello, stream: true });
  const reading = (async () => {
    for await (const chunk of stream) expect(chunk.choices).toHaveLength(1);
  })();
  await expect(reading).rejects.toMatchObject({ ...error, status: undefined });
});
