import { expect } from "vitest";
import { contract } from "../support/contract.ts";
import { ask, type Asking } from "../support/requests.ts";

const fixtures = {
  tables: { users: [{ id: 1, name: "Ada" }] },
  models: [{ id: "atlas", kind: "chat" }],
} as const;

const hello = { model: "atlas", messages: [{ role: "user", content: "Hello" }] };

const refusedTokens: readonly (readonly [string, Asking])[] = [
  ["no header", { token: null }],
  ["another token", { token: "other" }],
  ["a longer token", { token: "local-tokens" }],
  ["the token in another case", { token: "Local-Token" }],
  ["the scheme in lower case", { token: null, headers: { authorization: "bearer local-token" } }],
  ["the scheme in upper case", { token: null, headers: { authorization: "BEARER local-token" } }],
  ["two spaces", { token: null, headers: { authorization: "Bearer  local-token" } }],
  ["no scheme", { token: null, headers: { authorization: "local-token" } }],
  ["another scheme", { token: null, headers: { authorization: "Basic local-token" } }],
  ["an empty token", { token: null, headers: { authorization: "Bearer " } }],
  ["the token in another header", { token: null, headers: { "x-token": "local-token" } }],
];

/** The service's own sentence, and advice of Backlot's. */
const refusal = /^\{"error":"Unauthorized request","code":"unauthorized","hint":"[^"]/;

for (const [kind, asking] of refusedTokens) {
  contract(`denies the tables to ${kind}`, async (transport) => {
    await using service = await transport.open(fixtures);
    const { status, text, headers } = await ask(service, "DELETE /rest/users/1", asking);
    expect(status).toBe(401);
    expect(text).toMatch(refusal);
    expect(headers.get("content-type")).toBe("application/json");
    expect(await service.inside.rows("users")).toHaveLength(1);
  });
}

const deniedRequests: readonly string[] = [
  "GET /rest/users?token=local-token",
  "GET /rest/unknown",
  "GET /rest",
  "PROPFIND /rest/users",
  "OPTIONS /rest/users",
  "POST /v1/rest/users",
];

for (const line of deniedRequests) {
  contract(`denies ${line} before anything else is looked at`, async (transport) => {
    await using service = await transport.open(fixtures);
    const body = line.startsWith("POST") ? { body: "not JSON" } : {};
    const { status, text } = await ask(service, line, { token: null, ...body });
    expect({ status, text }).toEqual({ status: 401, text: expect.stringMatching(refusal) });
  });
}

contract("accepts the token that the fixtures name, and only that", async (transport) => {
  await using service = await transport.open({ ...fixtures, AUTHORIZATION_TOKEN: "sesame" });
  expect((await ask(service, "GET /rest/users", { token: "sesame" })).status).toBe(200);
  expect((await ask(service, "GET /rest/users")).status).toBe(401);
});

contract("prefers the token of the options to that of the fixtures", async (transport) => {
  const named = { ...fixtures, AUTHORIZATION_TOKEN: "sesame" };
  await using service = await transport.open(named, { token: "open" });
  expect((await ask(service, "GET /rest/users", { token: "open" })).status).toBe(200);
  expect((await ask(service, "GET /rest/users", { token: "sesame" })).status).toBe(401);
});

contract("takes any key for chat when none are named, but not none", async (transport) => {
  await using service = await transport.open(fixtures);
  const any = await ask(service, "POST /v1/chat/completions", { json: hello, token: "whatever" });
  const none = await ask(service, "POST /v1/chat/completions", { json: hello, token: null });
  expect(any.status).toBe(200);
  expect(none.status).toBe(401);
  expect(none.body).toEqual({
    error: {
      message: expect.stringContaining("Authorization: Bearer"),
      type: "invalid_request_error",
      param: null,
      code: null,
    },
  });
});

contract(
  "takes only the keys for chat that are named, and masks another one",
  async (transport) => {
    await using service = await transport.open({ ...fixtures, apiKeys: ["key-one", "key-two"] });
    const second = await ask(service, "GET /v1/models", { token: "key-two" });
    const wrong = await ask(service, "GET /v1/models", { token: "sk-secret-secret-1234" });
    expect(second.status).toBe(200);
    expect(wrong.status).toBe(401);
    expect(wrong.body).toMatchObject({ error: { code: "invalid_api_key", param: null } });
    expect(wrong.text).not.toContain("secret-secret");
  },
);

for (const line of ["GET /nowhere", "GET /v1/chat/completions", "DELETE /v1/models"]) {
  contract(`asks for the key before it refuses ${line}`, async (transport) => {
    await using service = await transport.open(fixtures);
    const { status, body } = await ask(service, line, { token: null });
    expect(status).toBe(401);
    expect(body).toMatchObject({ error: { type: "invalid_request_error", code: null } });
  });
}

contract("denies a wrong key before the body is looked at", async (transport) => {
  await using service = await transport.open({ ...fixtures, apiKeys: ["key"] });
  const { status } = await ask(service, "POST /v1/chat/completions", {
    body: "not JSON",
    token: "x",
  });
  expect(status).toBe(401);
});

contract("asks for no key at all when that is switched off", async (transport) => {
  await using service = await transport.open({ ...fixtures, apiKeys: ["key"] }, { auth: false });
  expect((await ask(service, "GET /rest/users", { token: null })).status).toBe(200);
  expect((await ask(service, "GET /v1/models", { token: null })).status).toBe(200);
});

contract("answers at the root and at /v1, and nowhere else", async (transport) => {
  await using service = await transport.open(fixtures);
  const paths = [
    "/rest/users",
    "/v1/rest/users",
    "/models",
    "/v1/models",
    "/v2/models",
    "/v1/v1/models",
  ];
  const statuses = [];
  for (const path of paths) statuses.push((await ask(service, `GET ${path}`)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 404, 404]);
});

contract("answers only at the base paths that are given", async (transport) => {
  await using service = await transport.open(fixtures, { basePath: ["/api", "/api/v2/"] });
  const paths = [
    "/api/rest/users",
    "/api/v2/rest/users",
    "/api/models",
    "/rest/users",
    "/v1/models",
    "/models",
  ];
  const statuses = [];
  for (const path of paths) statuses.push((await ask(service, `GET ${path}`)).status);
  expect(statuses).toEqual([200, 200, 200, 404, 404, 404]);
});
