import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";

const fixtures = { tables: { users: [{ id: 1, name: "Ada" }] } };
const headers = { "content-type": "application/json" };

test("drops the oldest of all sessions when bodies take too much room, but never the newest", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const body = JSON.stringify({ name: "x".repeat(9_000_000) });
  const kept = (session: string): readonly string[] =>
    emulator
      .session(session)
      .journal.list()
      .map(({ id }) => id);
  for (let count = 1; count <= 4; count++) {
    await emulator.fetch(`/@one/rest/users`, { method: "POST", headers, body });
    await emulator.fetch(`/@two/rest/users`, { method: "POST", headers, body });
  }
  // There is room for seven; when it is too little a tenth of it is made free, so that six stay.
  expect([kept("one"), kept("two")]).toEqual([
    ["2", "3", "4"],
    ["2", "3", "4"],
  ]);
  // What is gone counts no more.
  emulator.session("one").journal.clear();
  for (let count = 1; count <= 4; count++) {
    await emulator.fetch(`/@three/rest/users`, { method: "POST", headers, body });
  }
  expect([kept("two"), kept("three")]).toEqual([
    ["2", "3", "4"],
    ["1", "2", "3", "4"],
  ]);
});

test("a session whose requests take much room empties only its own journal, under way or ended", async () => {
  const hanging = { chats: [{ reply: { fault: { kind: "hang" } } }] };
  const emulator = await createEmulator({ fixtures: { ...fixtures, ...hanging }, auth: false });
  const kept = (session: string): number => emulator.session(session).journal.list().length;
  for (let count = 0; count < 20; count++) {
    await emulator.fetch(`/@${count % 2 === 0 ? "small" : "other"}/rest/users`);
  }
  const leaving = new AbortController();
  const messages = [{ role: "user", content: "x".repeat(9_500_000) }];
  const body = JSON.stringify({ model: "m", messages });
  const chats = Array.from({ length: 8 }, () =>
    emulator.fetch("/@large/v1/chat/completions", {
      method: "POST",
      headers,
      body,
      signal: leaving.signal,
    }),
  );
  await expect.poll(() => kept("large")).toBe(8);
  // One more, so that room is looked for while the others hang.
  await emulator.fetch("/@small/rest/users");
  expect([kept("small"), kept("other")]).toEqual([11, 10]);
  leaving.abort();
  expect((await Promise.allSettled(chats)).every(({ status }) => status === "rejected")).toBe(true);
  expect(kept("large")).toBeLessThan(8);
  expect([kept("small"), kept("other")]).toEqual([11, 10]);
});

test("of many equal sessions each loses about the same", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const body = JSON.stringify({ name: "x".repeat(400_000) });
  const ids = Array.from({ length: 10 }, (_, index) => `s${index}`);
  for (let count = 0; count < 20; count++) {
    for (const id of ids) {
      await emulator.fetch(`/@${id}/rest/users`, { method: "POST", headers, body });
    }
  }
  const lengths = ids.map((id) => emulator.session(id).journal.list().length);
  expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(2);
  expect(Math.min(...lengths)).toBeGreaterThan(12);
});

test("keeps a request that is larger than the room of all", async () => {
  const emulator = await createEmulator({ fixtures, auth: false, bodyLimit: 100_000_000 });
  const body = JSON.stringify({ name: "x".repeat(70_000_000) });
  await emulator.fetch("/rest/users");
  await emulator.fetch("/rest/users", { method: "POST", headers, body });
  expect(emulator.journal.list().map(({ id }) => id)).toEqual(["2"]);
});

test.each<[string, (count: number) => readonly [string, object]]>([
  ["headers", (count) => ["/rest/users", { "x-long": `${count}${"x".repeat(60_000)}` }]],
  ["queries", (count) => [`/rest/users?name=${count}${"x".repeat(60_000)}`, {}]],
  ["paths", (count) => [`/rest/${count}${"x".repeat(60_000)}`, {}]],
])("drops the oldest when %s take too much room", async (_, requestOf) => {
  const emulator = await createEmulator({ fixtures, auth: false, journalSize: 2000 });
  for (let count = 0; count < 1060; count++) {
    const [path, extra] = requestOf(count);
    await emulator.fetch(path, { headers: { ...extra } });
  }
  const kept = emulator.journal.list().length;
  expect([kept > 900, kept < 1050]).toEqual([true, true]);
});

test("drops the oldest when replies take too much room", async () => {
  const emulator = await createEmulator({ fixtures, auth: false, journalSize: 2000 });
  emulator.tables["users"]?.insert({ id: 2, name: "x".repeat(60_000) });
  for (let count = 0; count < 1100; count++) await emulator.fetch("/rest/users/2");
  const kept = emulator.journal.list().length;
  expect([kept > 900, kept < 1050]).toEqual([true, true]);
});
