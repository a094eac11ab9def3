import fc from "fast-check";
import { expect, test } from "vitest";
import { createEmulator, type Emulator, type EmulatorSession } from "../../../src/index.ts";
import type { RowValue } from "../../../src/core/emulator/tables.ts";
import { readFixtureFiles } from "../../support/read-fixture-files.ts";
import { sqliteStorage, strictStorage } from "../../../src/core/store/storage-rules.ts";
import { tries } from "../../support/tries.ts";

const profiles = ["document", "starbasedb"] as const;
type Profile = (typeof profiles)[number];

/** Tables of every kind of column; the last has one without a type, which only SQL can make. */
const columns = ["INTEGER", "REAL", "NUMERIC", "TEXT", "BLOB", "JSON", "ANY", "BOOLEAN"];
const written = {
  limits: { requestsPerMinute: 100, tokensPerMinute: 10_000 },
  tables: {
    keyed: {
      columns: Object.fromEntries([
        ["id", "INTEGER"],
        ...columns.map((type) => [`c_${type}`, type]),
      ]),
      rows: [{ id: 3 }, { id: 1 }],
    },
    named: {
      primaryKey: ["a", "b"],
      columns: { a: "TEXT", b: "ANY", __proto__x: { type: "TEXT", unique: true, default: "d" } },
      rows: [{ a: "x", b: 1, __proto__x: "1" }],
    },
    loose: [],
  },
  chats: [
    { name: "turns", replies: [{ content: "one" }, { content: "two" }] },
    { name: "once", when: { user: "once" }, times: 1, reply: { content: "x" } },
  ],
};
const dump = `CREATE TABLE raw (k TEXT PRIMARY KEY, v, r REAL DEFAULT 5.0, i INTEGER DEFAULT 9223372036854775807);
INSERT INTO raw VALUES ('blob', x'00ff7f', 1e999, 9223372036854775807), ('real', 5.0, -1e999, NULL), ('int', 9007199254740993, 5, 1);
CREATE TABLE child (id INTEGER PRIMARY KEY, of TEXT REFERENCES raw(k), day DATE DEFAULT 'x');
INSERT INTO child VALUES (1, 'nobody', 'soon'), (9, 'int', 20240101);`;

async function emulatorOf(profile: Profile): Promise<Emulator> {
  const files = [
    { name: "config.json", path: "config.json", text: JSON.stringify(written) },
    { name: "tables/raw.sql", path: "raw.sql", text: dump },
  ];
  const fixtures = await readFixtureFiles(files, {
    storageFor: () => (profile === "document" ? strictStorage : sqliteStorage),
  });
  return createEmulator({ fixtures, profiles: { tables: profile }, auth: false, seed: 5 });
}

const value: fc.Arbitrary<RowValue> = fc.oneof(
  fc.constantFrom<RowValue>(null, true, 0, -0, 5, 1.5, 1e21, 1e300, 2 ** 60, "9007199254740993"),
  fc.constantFrom<RowValue>(2n ** 63n - 1n, -(2n ** 63n), 9007199254740993n, Infinity, -Infinity),
  fc.uint8Array({ maxLength: 4 }),
  fc.string({ maxLength: 4, unit: "binary" }),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<RowValue>,
);

type Step = (world: EmulatorSession) => unknown;

const row = (names: readonly string[]): fc.Arbitrary<Record<string, RowValue>> =>
  fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 });

const keyedNames = ["id", ...columns.map((type) => `c_${type}`)];
const step: fc.Arbitrary<Step> = fc.oneof(
  row(keyedNames).map(
    (given): Step =>
      ({ tables }) =>
        tables["keyed"]?.insert(given),
  ),
  row(["a", "b", "__proto__x"]).map(
    (given): Step =>
      ({ tables }) =>
        tables["named"]?.insert(given),
  ),
  row(["k", "v", "r", "i"]).map(
    (given): Step =>
      ({ tables }) =>
        tables["raw"]?.insert(given),
  ),
  row(["id", "x", "y"]).map(
    (given): Step =>
      ({ tables }) =>
        tables["loose"]?.insert(given),
  ),
  row(["id", "of", "day"]).map(
    (given): Step =>
      ({ tables }) =>
        tables["child"]?.insert(given),
  ),
  fc.integer({ min: 1, max: 5 }).map(
    (id): Step =>
      ({ tables }) =>
        tables["keyed"]?.delete(id),
  ),
  fc.tuple(fc.constantFrom("blob", "real", "int"), row(["v", "r"])).map(
    ([key, changes]): Step =>
      ({ tables }) =>
        tables["raw"]?.update(key, changes),
  ),
  fc.constantFrom("Hi", "once", "{{").map(
    (text): Step =>
      (world) =>
        say(world, text),
  ),
  fc.constantFrom("a", "b").map(
    (name): Step =>
      ({ chats }) =>
        chats.add({ name, when: { user: "never" }, reply: { content: "{{ user }}" } }),
  ),
  fc.constant<Step>(({ chats }) => chats.remove("turns")),
  fc.constant<Step>(({ faults }) => faults.add({ status: 503, times: 2, interface: "tables" })),
);

async function say({ fetch }: EmulatorSession, content: string): Promise<void> {
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content }] });
  await (await fetch("/v1/chat/completions", { method: "POST", body })).text();
}

async function exported({ fetch }: Pick<EmulatorSession, "fetch">): Promise<string> {
  const response = await fetch("/__backlot/state");
  expect(response.status).toBe(200);
  return response.text();
}

async function importInto({ fetch }: EmulatorSession, body: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch("/__backlot/state", { method: "PUT", headers, body });
  expect(`${response.status} ${await response.text()}`).toBe("204 ");
}

const allRows = ({ tables }: EmulatorSession): unknown =>
  ["keyed", "named", "raw", "child", "loose"].map((name) => tables[name]?.rows());

test.each(profiles)(
  "whatever was done, a state that is exported and put in is the same, byte for byte, under %s",
  async (profile) => {
    const emulator = await emulatorOf(profile);
    let count = 0;
    const clock = fc.option(
      fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true }),
      {
        nil: undefined,
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), clock, async (steps, time) => {
        const one = emulator.session(`one ${++count}`, time === undefined ? {} : { clock: time });
        // What is refused changes nothing.
        for (const act of steps) {
          await Promise.resolve(one)
            .then(act)
            .catch(() => undefined);
        }
        const text = await exported(one);
        const two = emulator.session(`two ${count}`, { clock: 5, seed: 9 });
        await importInto(two, text);
        expect(await exported(two)).toBe(text);
        expect(allRows(two)).toEqual(allRows(one));
        const profileOnly = { tables: profile };
        const fixtures: unknown = { ...JSON.parse(text), limits: written.limits };
        const three = await createEmulator({ fixtures, profiles: profileOnly, auth: false });
        expect(await exported(three)).toBe(text);
        await importInto(one, text);
        expect(await exported(one)).toBe(text);
      }),
      { numRuns: tries(60) },
    );
  },
);
