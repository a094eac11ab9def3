import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { networkInterfaces } from "node:os";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { createEmulator, type EmulatorOptions } from "../../../src/index.ts";
import { middleware, startServer } from "../../../src/fronts/node/index.ts";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a request with the headers as they are given, `host` included, which `fetch` would not send. */
function send(port: number, line: string, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
  const [method = "", path = ""] = line.split(" ");
  const { authorization = "Bearer local-token", ...others } = headers;
  const keyed = authorization === "" ? others : { ...others, authorization };
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: "127.0.0.1", method, path, headers: keyed }, (response) => {
      const { statusCode: status = 0, headers: given } = response;
      text(response).then((body) => resolve({ status, headers: given, body }), reject);
    });
    asked.on("error", reject).end();
  });
}

const fixtures = {
  tables: { users: [{ id: 1, name: "Ada" }] },
  models: [{ id: "atlas", kind: "chat" }],
} as const;

type Options = Omit<EmulatorOptions, "fixtures" | "observer">;

async function served(options: Options = {}, host?: string) {
  const warnings: string[] = [];
  const observer = { warned: (message: string): void => void warnings.push(message) };
  const emulator = await createEmulator({ ...options, fixtures, observer });
  const server = await startServer(emulator, { port: 0, ...(host === undefined ? {} : { host }) });
  onTestFinished(() => server.close());
  return { emulator, warnings, ...server };
}

test.each([
  "http://localhost:5173",
  "https://localhost",
  "http://app.localhost:3000",
  "http://127.0.0.1:8080",
  "http://127.5.6.7",
  "http://[::1]:5173",
  "capacitor://localhost",
])("answers a page of the origin %s, which this machine serves", async (origin) => {
  const { port } = await served();
  const { status, headers } = await send(port, "GET /rest/users", { origin });
  expect([status, headers["access-control-allow-origin"]]).toEqual([200, "*"]);
});

const foreign = [
  "http://foreign.test",
  "https://localhost.evil.test",
  "http://evillocalhost:5173",
  "http://127.0.0.1.evil.test",
  "http://192.168.1.20:5173",
  "http://localhost:1, http://evil.test",
  "http://evil@localhost",
  "localhost",
  "file://",
  "null",
  "",
  "https://",
  "http:localhost",
  "https://localhost.",
  "https://localhost.evil.test:80",
  "http://127.1",
  "http://[::2]",
  "http://[::ffff:7f00:1]",
  "http://localhost/",
  "http://localhost:4010@evil.test",
  "http://LOCALHOST.evil.test",
];

test.each(foreign)("refuses a page of the origin %j before anything happens", async (origin) => {
  const { emulator, port } = await served();
  const preflight = { origin, "access-control-request-method": "DELETE" };
  const answers = [
    await send(port, "DELETE /rest/users/1", { origin }),
    await send(port, "OPTIONS /rest/users/1", preflight),
    await send(port, "GET /@mine/v1/models", { origin }),
  ];
  for (const { status, headers, body } of answers) {
    expect(status).toBe(403);
    expect(body).toContain('"code":"foreign_origin"');
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  }
  expect(emulator.tables.users.size).toBe(1);
  expect(emulator.journal.list()).toEqual([]);
  expect(emulator.core.sessions.list()).toEqual([]);
});

test("refuses in the envelope of the interface that is asked, in every profile", async () => {
  const { port } = await served({ profiles: { tables: "starbasedb", chat: "openai" } });
  const origin = "https://foreign.test";
  const table = JSON.parse((await send(port, "GET /rest/users", { origin })).body);
  const chat = JSON.parse(
    (await send(port, "GET /v1/models", { origin, authorization: "Bearer key" })).body,
  );
  const message =
    'Cannot answer a page of another site: the Origin is "https://foreign.test". If you trust it, start with ' +
    "--allow-origin https://foreign.test (in code and config: cors.origins).";
  expect(table).toEqual({ error: message, code: "foreign_origin" });
  const error = { message, type: "invalid_request_error", param: null, code: "foreign_origin" };
  expect(chat).toEqual({ error });
});

test("says once for each stranger which flag would let it in", async () => {
  const { port, warnings } = await served();
  for (const origin of ["https://a.test", "https://a.test", "https://b.test"]) {
    await send(port, "GET /rest/users", { origin });
  }
  for (const path of ["/rest/users", "/v1/models"]) {
    await send(port, `GET ${path}`, { host: "Rebound.test:4010" });
  }
  expect(warnings.map((message) => message.replace(/^.*start with /, ""))).toEqual([
    "--allow-origin https://a.test (in code and config: cors.origins).",
    "--allow-origin https://b.test (in code and config: cors.origins).",
    "--allow-host rebound.test (in code and config: hosts).",
  ]);
});

test.each([
  [["https://app.example"], "https://app.example", 200],
  [["https://a.example", "https://b.example"], "https://b.example", 200],
  [["https://app.example"], "http://app.example", 403],
  [["https://app.example"], "https://app.example:8443", 403],
  [["null"], "null", 200],
  [["app://shop"], "app://shop", 200],
  [["*"], "http://foreign.test", 200],
])("with the origins %j a page of %s gets %i", async (origins, origin, status) => {
  const { port } = await served({ cors: { origins } });
  expect((await send(port, "GET /rest/users", { origin })).status).toBe(status);
});

test("without CORS pages of other sites are refused all the same", async () => {
  const { port } = await served({ cors: false });
  const near = await send(port, "GET /rest/users", { origin: "http://localhost:5173" });
  const far = await send(port, "GET /rest/users", { origin: "http://foreign.test" });
  expect([near.status, near.headers["access-control-allow-origin"]]).toEqual([200, undefined]);
  expect(far.status).toBe(403);
});

test.each([
  ["127.0.0.1", 200],
  ["localhost:1234", 200],
  ["api.localhost", 200],
  ["192.168.1.20:4010", 200],
  ["[fd00::7]:4010", 200],
  ["backlot.test:4010", 200],
  ["BACKLOT.test", 200],
  ["sub.backlot.test", 403],
  ["evil.test", 403],
  ["127.0.0.1.evil.test", 403],
  ["1.2.3.4.5", 403],
  ["[evil.test]", 403],
])("while only this machine connects, the Host %j gets %i", async (host, status) => {
  const { port } = await served({ hosts: ["backlot.test"] });
  const answer = await send(port, "GET /rest/users", { host });
  expect(answer.status).toBe(status);
  if (status === 403) expect(answer.body).toContain('"code":"foreign_host"');
});

/** Addresses of this machine to which browsers do not say which site asks. */
const unmarked = [
  "0.0.0.0",
  "0.0.0.0:4010",
  "0.1.2.3",
  "[::]:4010",
  "[0:0:0:0:0:0:0:0]",
  "[::ffff:127.0.0.1]:4010",
  "[::ffff:7f00:1]",
  "[::FFFF:7F00:1]:4010",
  "[0:0:0:0:0:ffff:7f00:0001]",
  "[::127.0.0.1]",
  "[::7f00:1]",
  "[::ffff:0:127.0.0.1]",
  "[64:ff9b::7f00:1]",
];

test.each(unmarked)("refuses the Host %j, wherever it listens", async (host) => {
  for (const listen of ["127.0.0.1", "0.0.0.0"]) {
    const { emulator, port } = await served({ auth: false }, listen);
    const { status, body } = await send(port, "GET /@x1/rest/users", { host });
    expect([status, body]).toEqual([403, expect.stringContaining('"code":"foreign_host"')]);
    expect((await send(port, "GET /@x1/__backlot/state", { host })).status).toBe(403);
    expect(emulator.core.sessions.list()).toEqual([]);
  }
});

test.each([
  ["0.0.0.0", "0.0.0.0:4010"],
  ["[::ffff:7f00:1]", "[::ffff:7f00:1]:4010"],
  ["*", "[::]"],
])("takes such a Host where %j is allowed", async (name, host) => {
  const { port } = await served({ hosts: [name] });
  expect((await send(port, "GET /rest/users", { host })).status).toBe(200);
});

test("takes every Host when all are allowed", async () => {
  const { port } = await served({ hosts: ["*"] });
  expect((await send(port, "GET /rest/users", { host: "evil.test" })).status).toBe(200);
});

test("takes every Host, but no other Origin, where other machines connect", async () => {
  const { port, isLocal } = await served({}, "0.0.0.0");
  expect(isLocal).toBe(false);
  const statusOf = async (headers: OutgoingHttpHeaders): Promise<number> =>
    (await send(port, "GET /rest/users", headers)).status;
  expect(await statusOf({ host: "backlot:4010" })).toBe(200);
  expect(await statusOf({ host: "backlot:4010", origin: "http://evil.test" })).toBe(403);
  // It may have been rebound, while an address cannot be.
  expect(await statusOf({ host: "evil.test", origin: "http://evil.test" })).toBe(403);
  const own = { host: "192.168.1.20:4010", origin: "http://192.168.1.20:4010" };
  expect(await statusOf(own)).toBe(200);
});

test("an address of the network is not one of this machine alone", async () => {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const outer = addresses.find(({ internal, family }) => !internal && family === "IPv4");
  if (outer === undefined) return;
  expect((await served({}, outer.address)).isLocal).toBe(false);
});

test("requests that are refused neither begin nor evict sessions", async () => {
  const { emulator, port } = await served({ maxSessions: 2, apiKeys: ["key"] });
  await send(port, "POST /@one/rest/users", { "content-length": "0" });
  await send(port, "GET /@two/rest/users");
  const strangers: readonly (readonly [string, OutgoingHttpHeaders])[] = [
    ["GET /@x1/rest/users", { authorization: "" }],
    ["GET /@x2/rest/users", { authorization: "Bearer other" }],
    ["GET /@x3/v1/models", { authorization: "Bearer other" }],
    ["GET /@x4/v1/nowhere", { authorization: "" }],
    ["GET /@x5/rest/users", { origin: "http://evil.test" }],
    ["GET /@x6/rest/users", { host: "evil.test" }],
  ];
  const statuses = [];
  for (const [line, headers] of strangers) statuses.push((await send(port, line, headers)).status);
  expect(statuses).toEqual([401, 401, 401, 401, 403, 403]);
  expect(emulator.core.sessions.list().map(({ id }) => id)).toEqual(["one", "two"]);
});

const picture = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "image" };
const link = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" };

test.each([
  ["a picture", picture],
  ["a frame", { ...link, "sec-fetch-dest": "iframe" }],
  ["a prefetched link", { ...link, "sec-purpose": "prefetch" }],
])("refuses %s of a page of another site, also where no key is asked for", async (_, headers) => {
  const { emulator, port, warnings } = await served({ auth: false });
  for (const path of ["/@x1/rest/users", "/@x2/v1/models", "/@x3/__backlot/state"]) {
    const { status, body } = await send(port, `GET ${path}`, headers);
    expect([status, body]).toEqual([403, expect.stringContaining('"code":"foreign_origin"')]);
  }
  expect(emulator.core.sessions.list()).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining("--allow-origin '*'")]);
});

const early: readonly OutgoingHttpHeaders[] = [
  { "sec-purpose": "prefetch", "sec-fetch-site": "none", "sec-fetch-dest": "document" },
  { "sec-purpose": "prefetch;prerender", "sec-fetch-site": "same-origin" },
  { "sec-purpose": "prefetch;anonymous-client-ip" },
  { purpose: "prefetch" },
  { "x-purpose": "preview" },
  { "x-moz": "prefetch" },
  { "sec-purpose": "prefetch", origin: "http://localhost:5173" },
  { "sec-fetch-site": "none", "sec-fetch-dest": "image" },
  { "sec-fetch-site": "none", "sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate" },
];

test.each(early)("refuses what nobody asked for, and spends nothing on it: %j", async (headers) => {
  const { emulator, port } = await served({ auth: false });
  await send(port, "GET /@kept/rest/users");
  emulator.faults.add({ status: 503 });
  for (const path of ["/rest/users", "/@x1/rest/users", "/@kept/rest/users", "/__backlot/"]) {
    expect((await send(port, `GET ${path}`, headers)).status).toBe(403);
  }
  expect(emulator.faults.list()).toHaveLength(1);
  expect(emulator.journal.list()).toEqual([]);
  expect(emulator.session("kept").journal.list()).toHaveLength(1);
  expect(emulator.core.sessions.list().map(({ id }) => id)).toEqual(["kept"]);
});

const page = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

test.each<OutgoingHttpHeaders>([
  link,
  { "sec-fetch-site": "none", "sec-fetch-dest": "document" },
  { "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" },
  { accept: page },
  { accept: "text/html" },
])("answers the opening of a page, which begins and evicts no session: %j", async (headers) => {
  const { emulator, port } = await served({ auth: false, maxSessions: 1 });
  await send(port, "GET /@kept/rest/users");
  expect((await send(port, "GET /@x1/rest/users", headers)).status).toBe(200);
  expect(emulator.core.sessions.list().map(({ id }) => id)).toEqual(["kept"]);
  // The client of Java begins its `Accept` in a similar way.
  await send(port, "GET /@java/rest/users", { accept: "text/html, image/gif, */*; q=.2" });
  expect(emulator.core.sessions.list().map(({ id }) => id)).toEqual(["java"]);
});

test.each(["same-site", "cross-site"])(
  "refuses the control API to what a page of %s opens or embeds",
  async (site) => {
    const { port } = await served();
    const asked = { "sec-fetch-site": site };
    for (const dest of ["document", "image", "script", "empty"]) {
      const headers = { ...asked, "sec-fetch-dest": dest };
      const answer = await send(port, "GET /__backlot/state", { ...headers, authorization: "" });
      expect([answer.status, answer.body]).toEqual([
        403,
        expect.stringContaining("foreign_origin"),
      ]);
    }
  },
);

test.each<OutgoingHttpHeaders>([
  {},
  { "sec-fetch-site": "same-origin", "sec-fetch-dest": "empty", "x-backlot-console": "1" },
  { "sec-fetch-site": "same-origin", "sec-fetch-dest": "empty" },
  { "sec-fetch-site": "none", "sec-fetch-dest": "document" },
])("answers the control API to programs, to its own pages and to the user: %j", async (headers) => {
  const { port } = await served();
  expect((await send(port, "GET /__backlot/state", { ...headers, authorization: "" })).status).toBe(
    200,
  );
});

test("answers a user who follows a link, and what a page that is let in asks of another of its sites", async () => {
  const { port } = await served();
  const origin = "http://127.0.0.1:5173";
  expect((await send(port, "GET /rest/users", link)).status).toBe(200);
  expect((await send(port, "GET /__backlot/", link)).status).toBe(200);
  expect((await send(port, "GET /rest/users", { ...picture, origin })).status).toBe(200);
  const all = await served({ cors: { origins: ["*"] } });
  expect((await send(all.port, "GET /rest/users", picture)).status).toBe(200);
});

test("says which session had to go for another one, the one that was unused for the longest time", async () => {
  const { emulator, port, warnings } = await served({ maxSessions: 2 });
  for (const id of ["one", "two", "one", "three"]) await send(port, `GET /@${id}/rest/users`);
  expect(emulator.core.sessions.list().map(({ id }) => id)).toEqual(["one", "three"]);
  expect(warnings).toEqual([
    'Dropped the session "two", the longest unused: at most 2 are kept. Start with a larger --max-sessions.',
  ]);
});

test("behind an app, its own CORS and its own pages are let in, and no others", async () => {
  const answer = middleware(await createEmulator({ fixtures }));
  const server = createServer((asked, response: ServerResponse) => {
    if (asked.headers.origin === "https://partner.test") {
      response.setHeader("access-control-allow-origin", "https://partner.test");
    }
    answer(asked, response, () => response.writeHead(418).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const host = "app.test";
  const statuses = [];
  for (const origin of ["https://app.test", "https://partner.test", "https://evil.test"]) {
    statuses.push((await send(port, "GET /rest/users", { host, origin })).status);
  }
  expect(statuses).toEqual([200, 200, 403]);
});
