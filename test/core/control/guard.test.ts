import { expect, test } from "vitest";
import { isLoopbackAddress, isLoopbackHost } from "../../../src/core/emulator/access.ts";
import { askControl, controlled } from "./controlled.ts";

test.each([
  "localhost",
  "localhost:4010",
  "LOCALHOST:1",
  "app.localhost:4010",
  "a.b-c.localhost",
  "127.0.0.1",
  "127.0.0.1:65535",
  "127.255.0.9:80",
  "[::1]",
  "[::1]:4010",
])("takes the Host %s for this machine", (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

test.each([
  "",
  "evil.example",
  "localhost.evil.example",
  "evillocalhost",
  "-.localhost",
  "127.0.0.1.evil.example",
  "127.0.0.256",
  "127.0.0",
  "127.1",
  "0127.0.0.1",
  "128.0.0.1",
  "0.0.0.0",
  "192.168.0.1:4010",
  "::1",
  "[::2]",
  "localhost:4010, evil.example",
  "localhost@evil.example",
  "localhost/evil",
  "localhost\nx",
  `${"a.".repeat(200)}localhost`,
])("does not take the Host %j for this machine", (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});

test.each([
  ["127.0.0.1", true],
  ["127.8.9.10", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["::FFFF:127.0.0.1", true],
  ["192.168.0.7", false],
  ["0.0.0.0", false],
  ["::ffff:10.0.0.1", false],
  ["::", false],
  ["::2", false],
  ["fe80::1%eth0", false],
  ["128.0.0.1", false],
  ["127.0.0.1.evil.example", false],
  ["127.0.0.256", false],
  ["", false],
])("tells of the address %j that it is of this machine: %s", (address, isOwn) => {
  expect(isLoopbackAddress(address)).toBe(isOwn);
});

test.each(["203.0.113.9", "::ffff:203.0.113.9", "2001:db8::9", ""])(
  "refuses a connection from %j, whatever its Host",
  async (peerAddress) => {
    const context = controlled({ peerAddress });
    const answer = await askControl("POST /reset", context);
    expect(answer).toMatchObject({ status: 403, code: "foreign_peer" });
    expect(context.isChanged).toBe(false);
    expect((await askControl("GET /health", context)).status).toBe(200);
  },
);

test("answers a connection from beyond that has the control token", async () => {
  const context = controlled({ peerAddress: "203.0.113.9", settings: { controlToken: "secret" } });
  const headers = { authorization: "Bearer secret" };
  expect((await askControl("GET /state", context, { headers })).status).toBe(200);
  expect(await askControl("GET /state", context)).toMatchObject({ code: "wrong_token" });
});

const everyRoute = ["POST /reset", "GET /state", "GET /nothing", "PATCH /state", "OPTIONS /state"];

test.each(everyRoute)("refuses %s with a foreign Host before it looks at more", async (line) => {
  const context = controlled();
  const answer = await askControl(line, context, { headers: { host: "evil.example:4010" } });
  expect(answer).toMatchObject({ status: 403, code: "foreign_host" });
  expect(context.isChanged).toBe(false);
});

test.each(["https://evil.example", "null", "http://localhost:5173", "http://localhost", ""])(
  "refuses a page of the origin %j",
  async (origin) => {
    const context = controlled();
    const answer = await askControl("POST /reset", context, { headers: { origin } });
    expect(answer).toMatchObject({ status: 403, code: "foreign_origin" });
    expect(context.isChanged).toBe(false);
  },
);

test.each(["http://localhost:4010", "https://localhost:4010", "http://LOCALHOST:4010"])(
  "answers a page of its own origin %s",
  async (origin) => {
    const answer = await askControl("GET /state", controlled(), { headers: { origin } });
    expect(answer.status).toBe(200);
  },
);

test("refuses a page whose name was made to lead here", async () => {
  const headers = { host: "evil.example:4010", origin: "http://evil.example:4010" };
  const answer = await askControl("GET /state", controlled(), { headers });
  expect(answer).toMatchObject({ status: 403, code: "foreign_host" });
});

test.each(everyRoute)("gives %s no headers of CORS, whoever asks", async (line) => {
  for (const origin of ["http://localhost:4010", "https://evil.example"]) {
    const headers = {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    };
    const answer = await askControl(line, controlled(), { headers });
    const names = Object.keys(answer.headers).filter((name) => name.startsWith("access-control"));
    expect(names).toEqual([]);
  }
});

test.each([
  ["GET", { host: "evil.example", origin: "https://evil.example" }],
  ["HEAD", {}],
  ["GET", { host: "" }],
])("answers %s /health to anyone (%j)", async (method, headers) => {
  const context = controlled({ settings: { controlToken: "secret" } });
  const answer = await askControl(`${method} /health`, context, { headers });
  expect(answer.status).toBe(200);
  expect(answer.headers["access-control-allow-origin"]).toBe("*");
});

test("answers a preflight of /health, where CORS is not switched off", async () => {
  const headers = { origin: "https://a.example", "access-control-request-method": "GET" };
  const on = await askControl("OPTIONS /health", controlled(), { headers });
  const off = controlled({ settings: { cors: false } });
  expect(on.headers["access-control-allow-origin"]).toBe("*");
  const plain = await askControl("OPTIONS /health", off, { headers });
  expect(plain).toMatchObject({ status: 204, headers: { allow: "GET, HEAD, OPTIONS" } });
  expect(plain.headers["access-control-allow-origin"]).toBeUndefined();
});

test.each([
  [undefined, "localhost", 403],
  ["Bearer other", "localhost", 403],
  ["bearer secret", "localhost", 403],
  ["Bearer ", "localhost", 403],
  ["Bearer secret", "localhost", 200],
  ["Bearer secret", "build-7.example:4010", 200],
])("with a control token, answers %s from %s with %i", async (authorization, host, status) => {
  const context = controlled({ settings: { controlToken: "secret" } });
  const headers = { host, ...(authorization === undefined ? {} : { authorization }) };
  const answer = await askControl("GET /state", context, { headers });
  expect(answer.status).toBe(status);
  expect(JSON.stringify(answer.body)).not.toContain("secret");
});

test("refuses a page of another origin that has the control token", async () => {
  const context = controlled({ settings: { controlToken: "secret" } });
  const headers = { authorization: "Bearer secret", origin: "https://evil.example" };
  const answer = await askControl("GET /state", context, { headers });
  expect(answer).toMatchObject({ status: 403, code: "foreign_origin" });
});

test("looks at neither Host nor token of what code in the same process asks", async () => {
  const context = controlled({ inProcess: true, settings: { controlToken: "secret" } });
  const headers = { host: "api.example.com", origin: "http://localhost:5173" };
  expect((await askControl("GET /state", context, { headers })).status).toBe(200);
});
