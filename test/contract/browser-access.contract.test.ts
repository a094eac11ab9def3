import { expect } from "vitest";
import { contract } from "../support/contract.ts";
import { ask } from "../support/requests.ts";

const fixtures = {
  tables: { users: [{ id: 1, name: "Ada" }] },
  models: [{ id: "atlas", kind: "chat" }],
} as const;

const origin = "http://app.localhost:5173";
/** What the openai client sends from a page. */
const sdkHeaders = "authorization,content-type,x-stainless-lang,x-stainless-retry-count";

const preflights: readonly (readonly [string, string])[] = [
  ["/rest/users", "POST"],
  ["/rest/users/1", "PATCH"],
  ["/rest/unknown/1", "DELETE"],
  ["/v1/chat/completions", "POST"],
  ["/v1/models", "GET"],
  ["/v1/models/atlas", "GET"],
  ["/v1/models/atlas", "DELETE"],
  ["/v1/unknown", "PUT"],
];

for (const [path, method] of preflights) {
  contract(`answers a preflight for ${method} ${path} without a key`, async (transport) => {
    await using service = await transport.open(fixtures);
    const { status, headers, text } = await ask(service, `OPTIONS ${path}`, {
      token: null,
      headers: {
        origin,
        "access-control-request-method": method,
        "access-control-request-headers": sdkHeaders,
      },
    });
    expect(status).toBe(204);
    expect(text).toBe("");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-headers")).toBe(sdkHeaders);
    expect(headers.get("access-control-allow-methods")?.split(", ")).toContain(method);
  });
}

const readable = [
  ["GET /rest/users", 200],
  ["GET /rest/unknown", 404],
  ["POST /rest/users", 400],
  ["GET /v1/models", 200],
  ["GET /v1/models/unknown", 404],
  ["GET /v1/unknown", 404],
] as const;

for (const [line, expected] of readable) {
  contract(
    `lets a page of this machine read the answer ${expected} to ${line}`,
    async (transport) => {
      await using service = await transport.open(fixtures);
      const { status, headers } = await ask(service, line, { headers: { origin } });
      expect(status).toBe(expected);
      expect(headers.get("access-control-allow-origin")).toBe("*");
    },
  );
}

contract("lets a page read that it was denied", async (transport) => {
  await using service = await transport.open(fixtures);
  for (const path of ["/rest/users", "/v1/models"]) {
    const { status, headers } = await ask(service, `GET ${path}`, {
      token: null,
      headers: { origin },
    });
    expect([status, headers.get("access-control-allow-origin")]).toEqual([401, "*"]);
  }
});

contract("lets a page see the headers that a client goes by", async (transport) => {
  const error = { status: 429, message: "Slow down.", retryAfterMs: 1500 };
  await using service = await transport.open({
    ...fixtures,
    chats: [{ name: "busy", reply: { error } }],
  });
  const { headers } = await ask(service, "POST /v1/chat/completions", {
    json: { model: "atlas", messages: [{ role: "user", content: "Hello" }] },
  });
  const exposed = headers.get("access-control-expose-headers")?.split(", ");
  expect(exposed).toEqual(
    expect.arrayContaining(["x-request-id", "retry-after", "retry-after-ms"]),
  );
});

contract("knows nothing of CORS when that is switched off", async (transport) => {
  await using service = await transport.open(fixtures, { cors: false });
  const asked = { headers: { origin, "access-control-request-method": "GET" } };
  const preflight = await ask(service, "OPTIONS /rest/users", { token: null, ...asked });
  const read = await ask(service, "GET /rest/users", { headers: { origin } });
  const models = await ask(service, "GET /v1/models", { headers: { origin } });
  expect(preflight.status).toBe(401);
  for (const { headers } of [preflight, read, models]) {
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});

contract("tells a client that is no page which methods there are", async (transport) => {
  await using service = await transport.open(fixtures);
  const table = await ask(service, "OPTIONS /rest/users");
  const row = await ask(service, "OPTIONS /rest/users/1");
  expect([table.status, table.headers.get("allow")]).toEqual([204, "GET, HEAD, POST, OPTIONS"]);
  expect([row.status, row.headers.get("allow")]).toEqual([
    204,
    "GET, HEAD, PUT, PATCH, DELETE, OPTIONS",
  ]);
});

const heads = [
  "/rest/users",
  "/rest/users?id=1",
  "/rest/users/99",
  "/rest/unknown",
  "/rest/users?x=1",
  "/v1/models",
  "/v1/models/atlas",
  "/v1/models/unknown",
];

for (const path of heads) {
  contract(`answers HEAD ${path} as GET, without the body`, async (transport) => {
    await using service = await transport.open(fixtures);
    const get = await ask(service, `GET ${path}`);
    const head = await ask(service, `HEAD ${path}`);
    expect(head.status).toBe(get.status);
    expect(head.text).toBe("");
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
    expect(head.headers.get("content-length")).toBe(
      String(new TextEncoder().encode(get.text).length),
    );
  });
}
