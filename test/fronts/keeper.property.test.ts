import fc from "fast-check";
import { expect, test } from "vitest";
import { createEmulator, type Emulator, type EmulatorSession } from "../../src/index.ts";
import { Keeper, type KeptKey } from "../../src/fronts/page/worker/script/keeper.ts";
import type { RowValue } from "../../src/core/emulator/tables.ts";
import { readFixtureFiles } from "../support/read-fixture-files.ts";
import { recordedFixtures, saying } from "../support/cassettes.ts";
import { sqliteStorage } from "../../src/core/store/storage-rules.ts";
import { tries } from "../support/tries.ts";

const config = {
  limits: { requestsPerMinute: 100 },
  tables: {
    users: {
      columns: { id: "INTEGER", name: { type: "TEXT", unique: true }, tags: "JSON" },
      // Several nodes of a tree.
      rows: Array.from({ length: 300 }, (_, at) => ({ id: at + 1, name: `user ${at + 1}` })),
    },
    loose: [],
  },
  chats: [{ name: "turns", replies: [{ content: "one" }, { content: "two" }] }],
  ...recordedFixtures({
    chat: [1, 2, 3].map((said) => [{ method: "GET", path: "/again" }, saying(said)]),
  }),
};
const dump = `CREATE TABLE raw (k TEXT PRIMARY KEY, v, r REAL, i INTEGER);
INSERT INTO raw VALUES ('blob', x'00ff', 1e999, 9223372036854775807), ('real', 5.0, 5, NULL);`;

async function emulatorOf(): Promise<Emulator> {
  const files = [
    { name: "config.json", path: "config.json", text: JSON.stringify(config) },
    { name: "tables/raw.sql", path: "raw.sql", text: dump },
  ];
  const fixtures = await readFixtureFiles(files, { storageFor: () => sqliteStorage });
  return createEmulator({
    fixtures,
    profiles: { tables: "starbasedb", chat: "openai" },
    auth: false,
    seed: 5,
    clock: 5,
  });
}

const value: fc.Arbitrary<RowValue> = fc.oneof(
  fc.constantFrom<RowValue>(null, 0, 5, 1.5, 1e300, "9007199254740993", 2n ** 63n - 1n, Infinity),
  fc.uint8Array({ maxLength: 4 }),
  fc.string({ maxLength: 4 }),
);
const id = fc.constantFrom<RowValue>(1, 128, 129, 300, 9_000, -5, 2n ** 60n + 1n);

type Step = (world: EmulatorSession, emulator: Emulator) => unknown;

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(id, value).map(([key, name]): Step => ({ tables }) => {
    return tables["users"]?.insert({ id: key, name });
  }),
  fc.tuple(id, value).map(([key, name]): Step => ({ tables }) => {
    return tables["users"]?.update(key, { name });
  }),
  id.map(
    (key): Step =>
      ({ tables }) =>
        tables["users"]?.delete(key),
  ),
  fc.tuple(value, value).map(([v, r]): Step => ({ tables }) => {
    return tables["raw"]?.insert({ k: typeof v, v, r });
  }),
  fc.constantFrom("x", "y").map((column): Step => ({ tables }) => {
    return tables["loose"]?.insert({ id: 1, [column]: 1 });
  }),
  fc.constant<Step>((world) => say(world)),
  fc.constant<Step>((world) => say(world, { store: true })),
  fc.constant<Step>(async ({ fetch }) => (await fetch("/v1/again")).text()),
  fc.constant<Step>(({ chats }) => chats.add({ name: "a", reply: { content: "{{ user }}" } })),
  fc.constant<Step>(({ chats }) => chats.remove("turns")),
  fc.constant<Step>(({ faults }) => faults.add({ status: 503, times: 2, interface: "tables" })),
  fc.constant<Step>(({ reset }) => reset()),
  fc.constant<Step>((world) => ask(world, "PUT", "/tables/users", [{ id: 7 }, { id: 200 }])),
  fc.constant<Step>((world) => ask(world, "PUT", "/state", { tables: { other: [{ id: 1 }] } })),
  fc.constantFrom("p", "q").map(
    (name): Step =>
      ({ snapshot }) =>
        snapshot(name),
  ),
  fc.constantFrom("p", "q").map(
    (name): Step =>
      ({ restore }) =>
        restore(name),
  ),
  fc.constant<Step>((_, { snapshots }) => snapshots.delete("p")),
);

async function say({ fetch }: EmulatorSession, more: object = {}): Promise<void> {
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }], ...more });
  const headers = { "content-type": "application/json" };
  await (await fetch("/v1/chat/completions", { method: "POST", headers, body })).text();
}

async function ask(world: EmulatorSession, method: string, path: string, body?: unknown) {
  const headers = { "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await world.fetch(`/__backlot${path}`, { method, headers, ...sent });
  return response.text();
}

/** All that there is, in the base session and in others, down to what only SQL has. */
function seen({ core }: Emulator): unknown {
  const worlds = [core.sessions.base, ...core.sessions.list()].map((session) => {
    const { random, limiter, faults, clock, chats, answers, tables, plays } = session.snapshot();
    return {
      id: session.id,
      rows: [...tables.tables].map(([name, { largestId, layout }]) => ({
        name,
        largestId,
        columns: layout.columnNames,
        rows: session.state.database.table(name)?.rows(),
      })),
      scripts: chats.scripts.map((script) => [script.name, chats.matches.of(script.name)]),
      rest: { random, limiter: [...limiter], faults, clock, plays: plays.entries() },
      answers: [...answers],
      models: session.models,
      cassettes: session.cassettes,
      isImported: session.isImported,
    };
  });
  worlds.sort((one, other) => String(one.id).localeCompare(String(other.id)));
  return { worlds, snapshots: core.snapshots.list().map(({ name }) => name) };
}

test("whatever was done, what was kept of it brings it back", async () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(undefined, "one", "two"), step), {
    maxLength: 14,
  });
  await fc.assert(
    fc.asyncProperty(steps, async (acts) => {
      const emulator = await emulatorOf();
      const keeper = new Keeper(emulator.core);
      const store = new Map<string, readonly [KeptKey, unknown]>();
      for (const [name, act] of acts) {
        const world = name === undefined ? emulator : emulator.session(name);
        // What is refused changes nothing.
        await Promise.resolve()
          .then(() => act(world, emulator))
          .catch(() => undefined);
        keeper.touchAll();
        const { puts, removals } = await keeper.changes();
        for (const key of removals) store.delete(JSON.stringify(key));
        for (const [key, kept] of puts)
          store.set(JSON.stringify(key), [key, structuredClone(kept)]);
      }
      const again = await emulatorOf();
      await new Keeper(again.core).restore(store.values());
      expect(seen(again)).toEqual(seen(emulator));
      for (const { name } of emulator.core.snapshots.list()) {
        emulator.restore(name);
        again.restore(name);
        expect(seen(again)).toEqual(seen(emulator));
      }
    }),
    { numRuns: tries(100) },
  );
});
