import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";

const fixtures = {
  seed: 1,
  clock: "2024-01-01T00:00:00Z",
  models: [{ id: "atlas" }],
  tables: { users: [{ id: 1, name: "Ada" }] },
  chats: [{ name: "weather", when: { user: "weather" }, reply: { content: "It rains." } }],
};

const headers = { "content-type": "application/json" };

const asking = (user: string): RequestInit => ({
  method: "POST",
  body: JSON.stringify({ model: "atlas", messages: [{ role: "user", content: user }] }),
  headers: { authorization: "Bearer sk-secret", "x-stainless-retry-count": "2" },
});

test("has what was asked and what answered", async () => {
  const emulator = await createEmulator({ fixtures });
  const response = await emulator.fetch("/v1/chat/completions?a=1", asking("the weather"));
  const text = await response.text();
  expect(emulator.journal.list()).toEqual([
    {
      id: "1",
      at: "2024-01-01T00:00:00.000Z",
      session: null,
      interface: "chat",
      method: "POST",
      path: "/v1/chat/completions",
      query: "a=1",
      headers: expect.objectContaining({ authorization: "Bearer ***" }),
      body: { model: "atlas", messages: [{ role: "user", content: "the weather" }] },
      bodyText: null,
      status: 200,
      ended: "complete",
      problem: null,
      response: {
        headers: expect.objectContaining({ "content-type": "application/json" }),
        body: JSON.parse(text),
        truncated: false,
        frames: null,
      },
      usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
      finishReason: "stop",
      answeredBy: 'script "weather" reply 1',
      chat: { model: "atlas", said: "the weather", stream: false },
      tokens: 5,
      rows: null,
      script: "weather",
      reply: null,
      misses: [],
      missed: 0,
      matched: [{ criterion: "user", expected: expect.any(String), seen: '"the weather"' }],
      alsoMatching: [],
      change: null,
      keyProblem: null,
      brokenBy: null,
      plan: null,
      fault: null,
      recording: null,
      closestRecording: null,
      durationMs: expect.any(Number),
      queuedMs: null,
      bytes: text.length,
      chunksSent: 0,
      aborted: false,
      retryCount: 2,
      conversation: {
        title: "the weather",
        answers: 0,
        hasResults: false,
        calls: [],
        sent: expect.any(String),
        from: [],
        to: [expect.any(String)],
      },
      console: null,
    },
  ]);
});

test("never has a key, wherever a client puts it", async () => {
  const emulator = await createEmulator({ fixtures });
  const keys = { authorization: "sk-secret", "x-api-key": "sk-secret", cookie: "a=sk-secret" };
  await emulator.fetch("/rest/users", { headers: keys });
  expect(JSON.stringify(emulator.journal.list())).not.toContain("sk-secret");
});

test("tells which scripts came closest where none matched", async () => {
  const emulator = await createEmulator({ fixtures });
  await emulator.fetch("/v1/chat/completions", asking("WEATHER"));
  await emulator.fetch("/v1/chat/completions", asking("the time"));
  const told = emulator.journal.list().map(({ answeredBy }) => answeredBy);
  expect(told).toEqual(['echo (closest: "weather")', "echo"]);
});

test.each([
  [{ interface: "tables" } as const, ["2", "3"]],
  [{ interface: "tables" } as const, ["2", "3"]],
  [{ method: "post" }, ["1", "3"]],
  [{ path: "/rest/users" }, ["2", "3"]],
  [{ status: 201 }, ["3"]],
  [{ since: Date.UTC(2024, 0, 1) + 1 }, []],
  [{ since: Date.UTC(2024, 0, 1), limit: 2 }, ["1", "2"]],
])("filters by %j", async (filter, ids) => {
  const emulator = await createEmulator({ fixtures, auth: false });
  await emulator.fetch("/v1/chat/completions", asking("x"));
  await emulator.fetch("/rest/users");
  await emulator.fetch("/rest/users", { method: "POST", headers, body: '{"name":"Grace"}' });
  expect(emulator.journal.list(filter).map(({ id }) => id)).toEqual(ids);
});

test("refuses a filter that there is not, and names the nearest", async () => {
  const emulator = await createEmulator({ fixtures });
  const filter: object = { statuss: 200 };
  expect(() => emulator.journal.list(filter)).toThrow(
    /no filter "statuss".*Did you mean "status"\?/,
  );
});

test("keeps the newest requests, and no more than it should", async () => {
  const emulator = await createEmulator({ fixtures, auth: false, journalSize: 3 });
  for (let count = 0; count < 3000; count++) await emulator.fetch(`/rest/users?limit=${count}`);
  expect(emulator.journal.list().map(({ query }) => query)).toEqual([
    "limit=2997",
    "limit=2998",
    "limit=2999",
  ]);
});

test.each([
  ["JSON", "value", "[".repeat(1000) + "]".repeat(1000)],
  ["JSON that no interface reads", "text", "[".repeat(1001) + "]".repeat(1001)],
  ["JSON that overflows a stack", "text", "[".repeat(400_000) + "]".repeat(400_000)],
  ["no JSON", "text", "{"],
])("shows a body that is %s as a %s", async (_, shown, body) => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const response = await emulator.fetch("/rest/users", { method: "POST", headers, body });
  const [entry] = emulator.journal.list();
  expect([response.status, entry?.status]).toEqual([400, 400]);
  expect(JSON.stringify(entry)).toContain(shown === "text" ? JSON.stringify(body) : body);
});

test.each([-1, 1.5, Number.NaN])("refuses the limit %d", async (limit) => {
  const emulator = await createEmulator({ fixtures });
  expect(() => emulator.journal.list({ limit })).toThrow(/not a whole number of 0 or more/);
});

test("keeps nothing when its size is 0", async () => {
  const emulator = await createEmulator({ fixtures, auth: false, journalSize: 0 });
  await emulator.fetch("/rest/users");
  expect(emulator.journal.list()).toEqual([]);
});

test("begins anew when it is cleared", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  await emulator.fetch("/rest/users");
  emulator.journal.clear();
  await emulator.fetch("/rest/users?limit=1");
  expect(emulator.journal.list().map(({ query }) => query)).toEqual(["limit=1"]);
});

test.each([
  ['{"a": [1, "b c"],\n "d": null}', null],
  ['{"count":9007199254740993}', '{"count":9007199254740993}'],
  ['{"a":1,"a":2}', '{"a":1,"a":2}'],
  ['"only a text"', '"only a text"'],
  ["no JSON", null],
])("keeps the text of the body %s where its value does not give it again", async (body, text) => {
  const emulator = await createEmulator({ fixtures, auth: false });
  await emulator.fetch("/rest/users", { method: "POST", headers, body });
  expect(emulator.journal.list()[0]?.bodyText).toBe(text);
});
