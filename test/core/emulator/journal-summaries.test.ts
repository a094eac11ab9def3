import { expect, test } from "vitest";
import type { JournalSummary } from "../../../src/core/emulator/journal/entry.ts";
import { createEmulator, type JournalEntry } from "../../../src/index.ts";

const fixtures = {
  tables: { users: [{ id: 1, name: "Ada", about: "a".repeat(5000), tags: Array(200).fill("t") }] },
  chats: [
    { name: "rain", when: { user: "weather" }, replies: [{ content: "Rain." }, { content: "b" }] },
  ],
};

/** Sends requests, and gives a summary and the whole of each. */
async function both(
  ...asked: readonly (readonly [path: string, init?: RequestInit])[]
): Promise<readonly (readonly [JournalSummary, JournalEntry])[]> {
  const { fetch, core, journal } = await createEmulator({ fixtures, auth: false });
  for (const [path, init] of asked) await (await fetch(path, init)).text().catch(() => "");
  const whole = journal.list();
  const { journal: kept } = core.sessions.base;
  return kept
    .matching()
    .map((exchange, at) => [kept.summarise(exchange), whole[at] ?? expect.fail()] as const);
}

function chat(body: object): RequestInit {
  return { method: "POST", body: JSON.stringify({ model: "atlas", ...body }) };
}

const weather = [{ role: "user", content: "How is the weather?" }];

test.each([false, true])(
  "has of a chat what was asked, who answered and what it cost: stream %s",
  async (stream) => {
    const options = { stream, stream_options: { include_usage: true } };
    const [found] = await both([
      "/v1/chat/completions",
      chat({ messages: weather, ...(stream ? options : {}) }),
    ]);
    const [summary, whole] = found ?? expect.fail();
    expect(summary).toMatchObject({
      chat: { model: "atlas", said: "How is the weather?", stream },
      script: "rain",
      finishReason: "stop",
    });
    expect(summary.tokens).toBe(whole.usage?.["total_tokens"]);
    expect(summary.tokens).toBeGreaterThan(0);
  },
);

test.each([
  [{ messages: [{ role: "user", content: "x".repeat(300) }] }, `${"x".repeat(200)}…`],
  [{ messages: [{ role: "user", content: [{ type: "text", text: "a" }, { text: "b" }] }] }, "a b"],
  [{ messages: [{ role: "system", content: "a" }] }, ""],
])("has the beginning of what the user said last in %j", async (body, said) => {
  const [found] = await both(["/v1/chat/completions", chat(body)]);
  expect(found?.[0].chat).toEqual({ model: "atlas", said, stream: false });
});

test("has of requests to tables the rows that were read, and of a change only what differs, in short", async () => {
  const json = { "content-type": "application/json" };
  const changed = { name: "Bob", about: "b".repeat(5000), tags: Array(300).fill("t") };
  const found = await both(
    ["/rest/users"],
    ["/rest/users/1", { method: "PATCH", headers: json, body: JSON.stringify(changed) }],
    ["/rest/users", { method: "POST", headers: json, body: '{"name":"Eve"}' }],
    ["/rest/users/1", { method: "DELETE", headers: { "x-backlot-console": "mark 1" } }],
  );
  expect(found.map(([{ rows, chat: asked }]) => [rows, asked])).toEqual([
    [1, null],
    [null, null],
    [null, null],
    [null, null],
  ]);
  const changes = found.map(([{ change }]) => change);
  expect(changes[0]).toBeNull();
  expect(changes[1]).toMatchObject({ table: "users", key: { id: 1 } });
  expect(Object.keys(changes[1]?.after ?? {})).toEqual(["name", "about", "tags"]);
  expect(changes[1]).toMatchObject({ before: { name: "Ada" }, after: { name: "Bob" } });
  expect(JSON.stringify(changes[1]).length).toBeLessThan(800);
  expect(changes[2]).toEqual({ table: "users", key: { id: 2 }, before: null, after: {} });
  expect(changes[3]).toEqual({ table: "users", key: { id: 1 }, before: {}, after: null });
  expect(found[1]?.[1].change).toMatchObject({ before: fixtures.tables.users[0], after: changed });
  expect(found.map(([summary]) => summary.console)).toEqual([null, null, null, "mark 1"]);
});

test("says the same as the whole entry, but for the change of a row", async () => {
  const found = await both(
    ["/v1/chat/completions", chat({ messages: weather, stream: true })],
    ["/v1/chat/completions", { method: "POST", body: "no JSON" }],
    ["/rest/users?name=Ada"],
    ["/rest/none"],
  );
  expect(found).toHaveLength(4);
  for (const [summary, whole] of found) expect(whole).toMatchObject({ ...summary });
});
