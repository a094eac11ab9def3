import { expect } from "vitest";
import { contract, ofTheEmulator } from "../support/contract.ts";
import { asking, completions, contractModels } from "../support/contract-chats.ts";
import { chatRefusals, fields } from "../support/refused-chats.ts";
import { ask } from "../support/requests.ts";
import { strictRefusals } from "../support/strict-refusals.ts";
import type { Transport } from "../support/transports.ts";

const models = contractModels;
const profiles = ["document", "openai"] as const;
const refusals = [...chatRefusals, ...strictRefusals].flatMap((refusal) =>
  profiles
    .filter((profile) => (refusal.only ?? profile) === profile)
    .map((profile) => ({ profile, ...refusal })),
);

for (const { what, profile, line = completions, asking: asked = {}, ...expected } of refusals) {
  const { status, code, param = null } = expected;
  const refuses = async (transport: Transport): Promise<void> => {
    const chats = [{ name: "once", times: 1, reply: { content: "the only answer" } }];
    const settings = { profiles: { chat: profile }, apiKeys: ["local-token"] };
    await using service = await transport.open({ models, chats }, settings);
    const answer = await ask(service, line, asked);
    expect(answer.body).toEqual({
      error: { message: expect.any(String), type: "invalid_request_error", param, code },
    });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
    // A refused request uses no reply up.
    expect((await ask(service, completions, fields({}))).text).toContain("the only answer");
  };
  contract(`refuses ${what} under ${profile}`, refuses, ofTheEmulator);
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
  expect([status, headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
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
