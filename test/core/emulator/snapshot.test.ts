import { expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/index.ts";

const fixtures = {
  seed: 3,
  clock: "2024-01-01T00:00:00Z",
  tables: { users: [{ id: 1, name: "Ada" }] },
  chats: [
    { name: "turns", replies: [{ content: "one" }, { content: "two" }, { content: "three" }] },
  ],
} as const;

async function say(emulator: Pick<Emulator, "fetch">): Promise<string> {
  const response = await emulator.fetch("/v1/chat/completions", {
    method: "POST",
    headers: { authorization: "Bearer k" },
    body: JSON.stringify({ model: "x", messages: [{ role: "user", content: "hi" }] }),
  });
  return `${response.headers.get("x-request-id")} ${await response.text()}`;
}

test("goes back to a snapshot of rows, script counters, scripts and chance", async () => {
  const emulator = await createEmulator({ fixtures });
  await say(emulator);
  emulator.tables.users.update(1, { name: "Grace" });
  const snapshot = emulator.snapshot();
  const second = await say(emulator);
  emulator.tables.users.insert({ name: "Zoë" });
  emulator.chats.remove("turns");
  emulator.restore(snapshot);
  expect(emulator.tables.users.rows()).toEqual([{ id: 1, name: "Grace" }]);
  expect(second).toContain('"two"');
  expect(await say(emulator)).toBe(second);
});

test("keeps a snapshot as it was, however often it is restored", async () => {
  const emulator = await createEmulator({ fixtures });
  const snapshot = emulator.snapshot();
  for (let round = 0; round < 3; round++) {
    expect(emulator.tables.users.insert({ name: `round ${round}` }).id).toBe(2);
    expect(await say(emulator)).toContain('"one"');
    emulator.restore(snapshot);
    expect(emulator.tables.users.size).toBe(1);
  }
});

test("holds several snapshots apart", async () => {
  const emulator = await createEmulator({ fixtures });
  const sizes = [1, 2, 3];
  const snapshots = sizes.map((size) => {
    const snapshot = emulator.snapshot();
    emulator.tables.users.insert({ name: `after ${size}` });
    return snapshot;
  });
  const seen = [2, 0, 1].map((index) => {
    const snapshot = snapshots[index];
    if (snapshot !== undefined) emulator.restore(snapshot);
    return emulator.tables.users.size;
  });
  expect(seen).toEqual([3, 1, 2]);
});

test("goes back to the fixtures", async () => {
  const emulator = await createEmulator({ fixtures });
  const first = await say(emulator);
  await say(emulator);
  emulator.tables.users.delete(1);
  await emulator.chats.add({ name: "extra", reply: { content: "x" } });
  emulator.reset();
  expect(emulator.tables.users.rows()).toEqual([{ id: 1, name: "Ada" }]);
  expect(emulator.chats.list().map(({ name }) => name)).toEqual(["turns"]);
  expect(await say(emulator)).toBe(first);
});

test("gives table handles that were taken before the rows after a reset", async () => {
  const emulator = await createEmulator({ fixtures });
  const { users } = emulator.tables;
  users.insert({ name: "x" });
  emulator.reset();
  expect(users.size).toBe(1);
});

test("does not share anything with another emulator of the same fixtures", async () => {
  const [one, other] = [await createEmulator({ fixtures }), await createEmulator({ fixtures })];
  one.tables.users.update(1, { name: "changed" });
  await say(one);
  expect(other.tables.users.get(1)?.name).toBe("Ada");
  expect(await say(other)).toContain('"one"');
});

test("makes other ids each time without a seed", async () => {
  const [one, other] = [await createEmulator({}), await createEmulator({})];
  expect(await say(one)).not.toBe(await say(other));
});
