import type { InterfaceName } from "../../../src/core/interface.ts";
import { expect, test } from "vitest";
import type { CassetteSet } from "../../../src/core/recordings/cassette.ts";
import { Core } from "../../../src/core/emulator/core.ts";
import { Scheduler } from "../../../src/core/http/scheduler.ts";
import type { EmulatorSettings } from "../../../src/core/settings/settings.ts";
import type { Upstream } from "../../../src/core/emulator/sockets/upstream.ts";
import { readFixtureDocument } from "../../../src/core/fixture-set/read-fixtures.ts";
import { headerLines, jsonReply, type Reply } from "../../../src/core/http/reply.ts";
import { createEmulator } from "../../../src/index.ts";
import { call, type CallOptions } from "../../support/calls.ts";
import {
  answered,
  askedFor,
  reading,
  recordedFixtures,
  saying,
  streamed,
} from "../../support/cassettes.ts";
import { asking } from "../../support/contract-chats.ts";
import { HandTimers } from "../../support/hand-timers.ts";
import { nodeExtras } from "../../../src/fronts/node/extras.ts";
import { RecordingSink } from "../../support/recording-sink.ts";

const completions = "/v1/chat/completions";
const keyed = { headers: { authorization: "Bearer local-token" } };

interface Made {
  readonly settings?: EmulatorSettings;
  readonly upstream?: Upstream;
  readonly timers?: HandTimers;
}

async function coreOf(fixtures: object, { settings = {}, ...surroundings }: Made = {}) {
  const extras = nodeExtras;
  return new Core(await readFixtureDocument(fixtures), settings, { extras, ...surroundings });
}

async function ask(core: Core, line: string, options: CallOptions = keyed): Promise<Reply> {
  const [method = "", target = ""] = line.split(" ");
  return (await core.handle(call(method, target, options))).reply;
}

function bodyOf({ body }: Reply): unknown {
  if (body.kind === "bytes") return JSON.parse(new TextDecoder().decode(body.bytes));
  return body.kind === "text" ? JSON.parse(body.text) : undefined;
}

test.each([
  [1, 100, [0, 20, 50], 60],
  [2, 50, [0, 10, 25], 30],
  [0.5, 200, [0, 40, 100], 120],
  [0, 0, [0, 0, 0], 0],
])("a stream comes as it was recorded, at the speed %d", async (speed, head, times, end) => {
  const timers = new HandTimers(1000);
  const parts = [
    [100, "a"],
    [120, "b"],
    [150, "c"],
  ] as const;
  const answer = streamed(parts, { afterMs: 100, end: { atMs: 160, how: "reset" } });
  const fixtures = recordedFixtures({ chat: [[askedFor("Hello"), answer]] });
  const core = await coreOf(fixtures, { timers, settings: { speed } });
  const reply = await ask(core, `POST ${completions}`, { body: asking("Hello") });
  expect(reply.delayMs).toBe(head);
  const start = timers.now();
  const sink = new RecordingSink(() => timers.now() - start);
  if (reply.body.kind === "stream") new Scheduler(timers).play(reply.body.stream, sink);
  timers.advance(59 / (speed === 0 ? Infinity : speed));
  expect([sink.text, sink.ends.length]).toEqual(["abc", speed === 0 ? 1 : 0]);
  timers.advance(2000);
  expect(sink.times).toEqual(speed === 0 ? [0] : times);
  expect(reply.body).toMatchObject({ stream: { end: { how: "reset", at: end } } });
});

test("what it takes to find a recording is part of the time until it comes", async () => {
  const timers = new HandTimers();
  const answer = saying(1, { afterMs: 100 });
  const core = await coreOf(recordedFixtures({ tables: [[reading("/users"), answer]] }), {
    timers,
  });
  const asked = call("GET", "/rest/users");
  const slow = {
    ...asked,
    readBody: () => {
      timers.advance(30);
      return asked.readBody();
    },
  };
  const exchange = await core.handle(slow);
  expect(exchange.waitMs).toBe(70);
});

test("the journal tells which recording answered", async () => {
  const fixtures = recordedFixtures({ chat: [[askedFor("Hello"), saying(1)]] });
  const emulator = await createEmulator({ fixtures });
  await emulator.fetch(completions, { method: "POST", body: JSON.stringify(asking("Hello")) });
  expect(emulator.journal.list()).toMatchObject([
    {
      answeredBy: 'cassette "talk" 1',
      recording: { cassette: "talk", number: 1 },
      closestRecording: null,
      script: null,
    },
  ]);
});

test("the journal tells what came closest to a request that is not recorded", async () => {
  const fixtures = recordedFixtures(
    { chat: [[askedFor("Hello my-key"), saying(1)]] },
    { chats: [{ name: "bye", when: { user: "Bye" }, reply: { content: "Bye" } }] },
  );
  const settings = { strict: true, apiKeys: ["my-key"] };
  const emulator = await createEmulator({ fixtures, ...settings });
  await emulator.fetch(completions, {
    method: "POST",
    headers: { authorization: "Bearer my-key" },
    body: JSON.stringify(asking("Hallo my-key")),
  });
  expect(emulator.journal.list()).toMatchObject([
    {
      answeredBy: 'not recorded (closest: cassette "talk" 1)',
      recording: null,
      closestRecording: {
        cassette: "talk",
        number: 1,
        differences: [
          {
            at: "body.messages.0.content",
            recorded: '"Hello ***"',
            sent: '"Hallo ***"',
          },
        ],
      },
      misses: [{ script: "bye" }],
    },
  ]);
});

test("planned faults come before recordings", async () => {
  const fixtures = recordedFixtures({ tables: [[reading("/users"), saying(1)]] });
  const emulator = await createEmulator({ fixtures });
  emulator.faults.add({ status: 503, times: 1 });
  expect((await emulator.fetch("/rest/users")).status).toBe(503);
  expect(await (await emulator.fetch("/rest/users")).json()).toEqual({ said: 1 });
});

test("preflights are answered as ever, and so is HEAD where it is not recorded", async () => {
  const options = { method: "OPTIONS", path: "/users" };
  const fixtures = recordedFixtures(
    { tables: [[options, saying(1)]] },
    { tables: { users: [{ id: 1 }] } },
  );
  const core = await coreOf(fixtures, { settings: { strict: true } });
  const headers = { origin: "https://page.test", "access-control-request-method": "GET" };
  expect(await ask(core, "OPTIONS /rest/users", { headers })).toMatchObject({ status: 204 });
  expect(bodyOf(await ask(core, "OPTIONS /rest/users"))).toEqual({ said: 1 });
  const head = await ask(core, "HEAD /rest/users");
  expect(head).toMatchObject({ status: 200, body: { kind: "none" } });
  const refused = await ask(core, "HEAD /rest/none");
  expect(refused).toMatchObject({ status: 404, body: { kind: "none" } });
});

test("a recorded HEAD tells the length of the body that it does not have", async () => {
  const headers = { "content-length": "5", "content-type": "text/plain" };
  const answer = { status: 200, headers, afterMs: 0 };
  const request = { method: "HEAD", path: "/users" };
  const core = await coreOf(recordedFixtures({ tables: [[request, answer]] }));
  const reply = await ask(core, "HEAD /rest/users");
  expect(reply).toMatchObject({ headers: { "content-length": "5" }, body: { kind: "none" } });
});

test("headers that the service had for one connection or one page are not replayed", async () => {
  const own = { "content-type": "application/json", "x-id": "7" };
  const headers = {
    ...own,
    "content-length": "99",
    "transfer-encoding": "chunked",
    connection: "close",
    "access-control-allow-origin": "https://page.test",
    "access-control-allow-credentials": "true",
  };
  const fixtures = recordedFixtures({ tables: [[reading("/users"), answered({ headers })]] });
  const closed = await ask(
    await coreOf(fixtures, { settings: { cors: false } }),
    "GET /rest/users",
  );
  expect(closed.headers).toEqual(own);
  const open = await ask(await coreOf(fixtures), "GET /rest/users");
  expect(open.headers).toEqual({
    ...own,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "x-id",
  });
});

/** A service that answers what it was asked. */
function upstreamAsked(asked: Upstream["asked"], only?: InterfaceName): Upstream {
  return {
    asked,
    answer: async ({ call: { method }, interface: of, path }) =>
      only !== undefined && of.name !== only
        ? undefined
        : jsonReply(200, `${of.name} ${method} ${path}`, { "access-control-allow-origin": "x" }),
  };
}

const some = {
  models: [{ id: "atlas" }],
  tables: { users: [{ id: 1 }] },
  chats: [{ when: { user: "Hi" }, reply: { content: "Hi" } }],
};

test.each([
  ["POST /v1/chat/completions", asking("Bye"), "chat POST /chat/completions"],
  ["POST /chat/completions", asking("Hi", { model: "other" }), "chat POST /chat/completions"],
  ["GET /v1/models/other", undefined, "chat GET /models/other"],
  ["POST /v1/embeddings?a=1", {}, "chat POST /embeddings"],
  ["GET /v1/rest/pets/1", undefined, "tables GET /pets/1"],
  ["POST /rest/pets", { id: 1 }, "tables POST /pets"],
])("the real service is asked on a miss: %s", async (line, body, said) => {
  const core = await coreOf(some, { upstream: upstreamAsked("on-miss") });
  for (const strict of [false, true]) {
    const own = await coreOf(some, { settings: { strict }, upstream: upstreamAsked("on-miss") });
    expect(bodyOf(await ask(own, line, { ...keyed, body }))).toBe(said);
  }
  const { headers } = await ask(core, line, { ...keyed, body });
  expect(headers["access-control-allow-origin"]).toBe("*");
});

test.each([
  ["POST /v1/chat/completions", asking("Hi")],
  ["POST /v1/chat/completions", { model: "atlas" }],
  ["GET /v1/models", undefined],
  ["DELETE /v1/models", undefined],
  ["GET /rest/users?id=7", undefined],
  ["GET /rest/users?nmae=7", undefined],
])("the real service is not asked where the fixtures answer: %s", async (line, body) => {
  const upstream = upstreamAsked("on-miss");
  const reply = await ask(await coreOf(some, { upstream }), line, { ...keyed, body });
  const usual = await ask(await coreOf(some), line, { ...keyed, body });
  expect(reply.status).toBe(usual.status);
  expect(bodyOf(reply)).toBeTypeOf("object");
});

test("a service that is always asked comes after recordings, and before all else", async () => {
  const fixtures = recordedFixtures({ chat: [[askedFor("Hi"), saying("recorded")]] }, some);
  const core = await coreOf(fixtures, { upstream: upstreamAsked("always", "chat") });
  const say = async (text: string) =>
    bodyOf(await ask(core, `POST ${completions}`, { body: asking(text) }));
  expect(await say("Hi")).toEqual({ said: "recorded" });
  expect(await say("Hi there")).toBe("chat POST /chat/completions");
  expect(bodyOf(await ask(core, "GET /rest/users"))).toEqual({ result: [{ id: 1 }] });
  const headers = { origin: "https://page.test", "access-control-request-method": "GET" };
  expect(await ask(core, "OPTIONS /v1/models", { headers })).toMatchObject({ status: 204 });
});

test("the tables of starbasedb that are not there are asked of the real service", async () => {
  const settings = { profiles: { tables: "starbasedb" } } as const;
  const core = await coreOf(some, { settings, upstream: upstreamAsked("on-miss") });
  for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
    const body = method === "GET" ? undefined : { id: 1 };
    const reply = await ask(core, `${method} /rest/pets/1`, { ...keyed, body });
    expect(bodyOf(reply)).toBe(`tables ${method} /pets/1`);
  }
  expect(bodyOf(await ask(core, "GET /rest/USERS"))).toEqual({ result: [{ id: 1 }] });
  // Not below `/rest`, where alone there is another service.
  expect((await ask(core, "GET /query")).status).not.toBe(200);
});

test("a failure of the real service's stand-in is a failure of ours, and reported", async () => {
  const failures: unknown[] = [];
  const upstream: Upstream = { asked: "always", answer: () => Promise.reject(new Error("no")) };
  const observer = { failed: (error: unknown) => failures.push(error) };
  const core = new Core(
    await readFixtureDocument({}),
    {},
    { upstream, observer, extras: nodeExtras },
  );
  expect((await ask(core, "GET /v1/models")).status).toBe(500);
  expect(failures).toMatchObject([{ message: "no" }]);
});

test("a body that is too large is for the interface to refuse", async () => {
  const fixtures = recordedFixtures({ chat: [[askedFor("Hello"), saying(1)]] });
  const emulator = await createEmulator({ fixtures, bodyLimit: 10 });
  const body = JSON.stringify(asking("Hello"));
  const headers = { authorization: "Bearer k" };
  const response = await emulator.fetch(completions, { method: "POST", body, headers });
  expect(response.status).toBe(413);
});

test("loading other fixtures brings their cassettes", async () => {
  const first = recordedFixtures({ tables: [[reading("/users"), saying(1)]] });
  const core = await coreOf(first);
  expect(bodyOf(await ask(core, "GET /rest/users"))).toEqual({ said: 1 });
  core.load(
    await readFixtureDocument(recordedFixtures({ tables: [[reading("/users"), saying(2)]] })),
  );
  expect(bodyOf(await ask(core, "GET /rest/users"))).toEqual({ said: 2 });
  core.load(await readFixtureDocument({}));
  const set: CassetteSet | undefined = core.sessions.base.cassettes;
  expect(set).toBeUndefined();
});

test("shows no key in what came closest, neither the emulator's own nor the one that was sent", async () => {
  const fixtures = recordedFixtures({ chat: [[askedFor("Hello"), saying(1)]] });
  const emulator = await createEmulator({ fixtures, strict: true, apiKeys: ["own-key"] });
  const answer = await emulator.fetch(completions, {
    method: "POST",
    headers: { authorization: "Bearer own-key", "x-api-key": "sk-sent-4fG7" },
    body: JSON.stringify({
      ...asking(`${"word ".repeat(11)}own-key and sk-sent-4fG7`),
      user: "sk-sent-4fG7",
      password: "hunter2",
    }),
  });
  const message = await answer.text();
  expect(answer.status).toBe(404);
  expect(message).toContain("body.user");
  expect(message).toContain("body.password");
  expect(message + JSON.stringify(emulator.journal.list()[0]?.closestRecording)).not.toMatch(
    /own-key|sk-sent|sk-|hunter2/,
  );
});

test.each([
  ["a request that chat refuses", `POST ${completions}`, { model: "atlas" }, "messages"],
  ["a filter that tables refuse", "GET /rest/users?nmae=7", undefined, "nmae"],
])("tells what came closest to %s, and why it is refused", async (_, line, body, why) => {
  const fixtures = recordedFixtures(
    { chat: [[askedFor("Hello"), saying(1)]], tables: [[reading("/users", "name=7"), saying(2)]] },
    some,
  );
  const core = await coreOf(fixtures, { settings: { strict: true } });
  const reply = await ask(core, line, { ...keyed, body });
  expect(reply.status).toBe(404);
  expect(JSON.stringify(bodyOf(reply))).toMatch(
    new RegExp(`^.*The closest is recording 1.*Backlot itself refuses it, too:.*${why}`),
  );
});

test("a request to the root of a recorder is not passed on", async () => {
  const core = await coreOf({}, { upstream: upstreamAsked("always") });
  expect(bodyOf(await ask(core, "GET /"))).toMatchObject({ name: "backlot" });
  expect(bodyOf(await ask(core, "POST /"))).toBe("chat POST /");
});

test("names each exposed header once, and no cookies", async () => {
  const headers = { "set-cookie": "a=1\nb=2", "x-id": "7" };
  const fixtures = recordedFixtures({ tables: [[reading("/users"), answered({ headers })]] });
  const reply = await ask(await coreOf(fixtures), "GET /rest/users");
  expect(reply.headers["access-control-expose-headers"]).toBe("x-id");
  expect(new Headers(headerLines(reply.headers)).getSetCookie()).toEqual(["a=1", "b=2"]);
});

test("shows no key in the path of a request that is not recorded, as it is or encoded", async () => {
  const fixtures = recordedFixtures({ chat: [[askedFor("Hello"), saying(1)]] });
  const emulator = await createEmulator({ fixtures, strict: true, auth: false });
  const headers = { authorization: "Bearer sk/sent+4fG7" };
  for (const path of ["sk%2Fsent%2B4fG7", "sk/sent+4fG7"]) {
    const answer = await emulator.fetch(`${completions}/${path}?user=${path}`, { headers });
    const message = await answer.text();
    expect(message).toContain("not_recorded");
    expect(message).not.toMatch(/sk|4fG7/);
  }
});
