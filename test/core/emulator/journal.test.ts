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
      status: 200,
      answeredBy: 'script "weather" reply 1',
      script: "weather",
      reply: null,
      misses: [],
      plan: null,
      fault: null,
      recording: null,
      closestRecording: null,
      durationMs: expect.any(Number),
      bytes: text.length,
      chunksSent: 0,
      aborted: false,
      retryCount: 2,
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
  await emulator.fetch("/v1/chat/completions", asking("the time"));
  expect(emulator.journal.list()[0]?.answeredBy).toBe('echo (closest: "weather")');
});

test.each([
  [{ interface: "rest" } as const, ["2", "3"]],
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
  expect(() => emulator.journal.list(filter)).toThrow(/by "statuss".*Did you mean "status"\?/);
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

test("drops the oldest when bodies take too much room, but never the newest", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const body = JSON.stringify({ name: "x".repeat(9_000_000) });
  for (let count = 0; count < 4; count++) {
    await emulator.fetch("/rest/users", { method: "POST", headers, body });
  }
  const kept = emulator.journal.list().map(({ id }) => id);
  expect(kept.at(-1)).toBe("4");
  expect(kept.length).toBeLessThan(4);
});

test.each<[string, (count: number) => readonly [string, object]]>([
  ["headers", (count) => ["/rest/users", { "x-long": `${count}${"x".repeat(60_000)}` }]],
  ["queries", (count) => [`/rest/users?name=${count}${"x".repeat(60_000)}`, {}]],
  ["paths", (count) => [`/rest/${count}${"x".repeat(60_000)}`, {}]],
])("drops the oldest when %s take too much room", async (_, asking_) => {
  const emulator = await createEmulator({ fixtures, auth: false });
  for (let count = 0; count < 400; count++) {
    const [path, extra] = asking_(count);
    await emulator.fetch(path, { headers: { ...extra } });
  }
  const kept = emulator.journal.list().length;
  expect([kept > 250, kept < 340]).toEqual([true, true]);
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
