import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";

const fixtures = {
  seed: 3,
  clock: "2024-01-01T00:00:00Z",
  models: [{ id: "atlas" }],
  tables: { users: [{ id: 1, name: "Ada" }] },
  chats: [{ name: "turns", replies: [{ content: "one" }, { content: "two" }] }],
} as const;

const made = (): ReturnType<typeof createEmulator<typeof fixtures>> =>
  createEmulator({ fixtures, auth: false });

interface World {
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
}

async function say({ fetch }: World): Promise<string> {
  const body = JSON.stringify({ model: "atlas", messages: [{ role: "user", content: "hi" }] });
  return (await fetch("/v1/chat/completions", { method: "POST", body })).text();
}

async function putState({ fetch }: World, state: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(state);
  const { status } = await fetch("/__backlot/state", { method: "PUT", headers, body });
  expect(status).toBe(204);
}

async function statusesOf({ fetch }: World): Promise<string> {
  return `${(await fetch("/rest/notes")).status} ${(await fetch("/rest/users")).status}`;
}

test("goes back to a snapshot by its name, in any session", async () => {
  const emulator = await made();
  emulator.tables.users.insert({ name: "Grace" });
  await say(emulator);
  emulator.snapshot("two users");
  emulator.reset();
  const session = emulator.session("other");
  session.restore("two users");
  expect([emulator.tables.users.size, session.tables.users.size]).toEqual([1, 2]);
  expect(await say(session)).toContain('"two"');
});

test("begins a session from a snapshot, however many, and none sees another", async () => {
  const emulator = await made();
  const builder = emulator.session("builder");
  builder.tables.users.insert({ name: "Grace" });
  const snapshot = builder.snapshot("seeded");
  const [one, two] = [
    emulator.session("one", { from: "seeded" }),
    emulator.session("two", { from: snapshot }),
  ];
  one.tables.users.delete(1);
  builder.tables.users.delete(2);
  expect([one, two, builder, emulator].map(({ tables }) => tables.users.size)).toEqual([
    1, 2, 1, 1,
  ]);
});

test("begins a session anew when it is given options, and finds it again without", async () => {
  const emulator = await made();
  emulator.session("a").tables.users.insert({ name: "Grace" });
  expect(emulator.session("a").tables.users.size).toBe(2);
  expect(emulator.session("a", {}).tables.users.size).toBe(1);
});

test("a later snapshot takes the place of one of the same name", async () => {
  const emulator = await made();
  emulator.snapshot("a");
  emulator.snapshot("b");
  emulator.tables.users.insert({ name: "Grace" });
  emulator.snapshot("a");
  expect(emulator.snapshots.list()).toEqual(["b", "a"]);
  emulator.reset();
  emulator.restore("a");
  expect(emulator.tables.users.size).toBe(2);
});

test("keeps a snapshot of an imported state with its tables and models, for every session", async () => {
  const emulator = await made();
  const session = emulator.session("one");
  await putState(session, { tables: { notes: [{ id: 7 }] }, models: [{ id: "m" }], chats: [] });
  session.snapshot("imported");
  session.reset();
  const other = emulator.session("two", { from: "imported" });
  emulator.restore("imported");
  expect(await Promise.all([session, other, emulator].map(statusesOf))).toEqual([
    "404 200",
    "200 404",
    "200 404",
  ]);
  expect(await (await other.fetch("/v1/models")).json()).toMatchObject({ data: [{ id: "m" }] });
});

test("goes back from an imported state to a snapshot of the fixtures' tables", async () => {
  const emulator = await made();
  emulator.tables.users.insert({ name: "Grace" });
  const snapshot = emulator.snapshot();
  await putState(emulator, { tables: { notes: [] } });
  emulator.restore(snapshot);
  expect(emulator.tables.users.size).toBe(2);
});

test("refuses a snapshot of another emulator's imported state, and changes nothing", async () => {
  const [emulator, other] = [await made(), await made()];
  await putState(other, { tables: { users: [{ id: 5 }] } });
  const foreign = other.snapshot();
  expect(() => emulator.restore(foreign)).toThrow(/another emulator's imported state/);
  expect(() => emulator.session("new", { from: foreign })).toThrow(
    /another emulator.s imported state/,
  );
  expect([emulator.tables.users.size, emulator.core.sessions.list()]).toEqual([1, []]);
});

test("forgets snapshots one by one, and all when fixtures with other tables are loaded", async () => {
  const emulator = await made();
  emulator.snapshot("a");
  emulator.snapshot("b");
  expect([emulator.snapshots.delete("a"), emulator.snapshots.delete("a")]).toEqual([true, false]);
  emulator.core.load(emulator.core.fixtures);
  expect(emulator.snapshots.list()).toEqual(["b"]);
  const other = await createEmulator({ fixtures: { tables: { things: [{ id: 1 }] } } });
  emulator.core.load(other.core.fixtures);
  expect(emulator.snapshots.list()).toEqual([]);
  expect(() => emulator.restore("b")).toThrow(/removes all snapshots/);
});

test("names the nearest snapshot when there is none of a name", async () => {
  const emulator = await made();
  emulator.snapshot("seeded");
  const says = 'the snapshot "seded": there is none of that name. Did you mean "seeded"?';
  expect(() => emulator.restore("seded")).toThrow(says);
  expect(() => emulator.session("a", { from: "seded" })).toThrow(says);
});

test.each(["", "x".repeat(201), "a\nb", ".", "..", "\ud800"])(
  "refuses the name %j for a snapshot",
  async (name) => {
    const emulator = await made();
    expect(() => emulator.snapshot(name)).toThrow(/^Cannot keep the snapshot .*: a name /);
  },
);

test.each(["__proto__", "constructor", "a/b", "ä 😀"])("takes %j for a name", async (name) => {
  const emulator = await made();
  expect(() => emulator.restore(name)).toThrow(/none of that name/);
  emulator.snapshot(name);
  emulator.restore(name);
  expect(emulator.snapshots.list()).toEqual([name]);
});

test("keeps up to 100 snapshots", async () => {
  const emulator = await made();
  for (let count = 0; count < 100; count++) emulator.snapshot(`s${count}`);
  expect(() => emulator.snapshot("one more")).toThrow(/there are already 100.*Remove one/);
  emulator.snapshot("s5");
  expect(emulator.snapshots.list()).toHaveLength(100);
});

test("takes and restores a snapshot without looking at the rows", async () => {
  const users = Array.from({ length: 50_000 }, (_, index) => ({ id: index + 1 }));
  const emulator = await createEmulator({ fixtures: { tables: { users } }, auth: false });
  const { rows } = emulator.core.state.database.snapshot().tables.get("users") ?? {};
  emulator.snapshot("large");
  const session = emulator.session("a", { from: "large" });
  const taken = emulator.core.snapshots.get("large").tables.tables.get("users");
  expect(taken?.rows).toBe(rows);
  expect(session.tables.users.size).toBe(50_000);
});

test.each([
  [{ form: "a" }, 'there is no option "form". Did you mean "from"?'],
  [{ from: 5 }, "Cannot use the snapshot 5: it is not"],
  [{ seed: 0.5 }, "the option seed"],
  [{ clock: "soon" }, "the option clock"],
  [{ clock: 8.64e15 }, "is not from 0 to 9999"],
])("refuses to begin a session with %j", async (options, says) => {
  const emulator = await made();
  expect(() => emulator.session("a", options as object)).toThrow(says);
  expect(emulator.core.sessions.list()).toEqual([]);
});
