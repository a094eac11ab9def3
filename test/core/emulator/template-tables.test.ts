import { beforeAll, expect, test } from "vitest";
import { createEmulator, type Emulator, type FixtureSet } from "../../../src/index.ts";
import { readFixtureFiles } from "../../support/read-fixture-files.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";

const dump =
  "CREATE TABLE t(id INTEGER PRIMARY KEY, big INTEGER, a, b, c REAL, d);" +
  "INSERT INTO t VALUES(1, 9223372036854775807, 5.0, x'0102', 9e999, 0.5);" +
  "INSERT INTO t VALUES(2, 9007199254740993, 6, 'x', 7, NULL);";

let fixtures: FixtureSet;

beforeAll(async () => {
  fixtures = await readFixtureFiles([{ name: "tables/t.sql", path: "t.sql", text: dump }], {
    storageFor: () => sqliteStorage,
  });
});

async function emulatorSaying(content: unknown): Promise<Emulator> {
  const emulator = await createEmulator({ fixtures, profiles: { tables: "starbasedb" } });
  await emulator.chats.add(JSON.parse(JSON.stringify({ reply: { content } })));
  return emulator;
}

async function saidBy(emulator: Emulator): Promise<string> {
  const response = await emulator.fetch("/v1/chat/completions", {
    method: "POST",
    headers: { authorization: "Bearer k", "content-type": "application/json" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] }),
  });
  const { choices } = JSON.parse(await response.text());
  return choices[0].message.content;
}

test.each([
  ["{{ tables.t[0].big }}", "9223372036854776000"],
  ["{{ tables.t[0].a }}", "5"],
  ["{{ tables.t[0].a | plus: 1 }}", "6"],
  ["<{{ tables.t[0].b }}>", "<{}>"],
  ["<{{ tables.t[0].c }}>", "<>"],
  ["{{ tables.t | map: 'big' | join: ' ' }}", "9223372036854776000 9007199254740992"],
  ["{{ tables.t | where: 'a', 5 | map: 'id' }}", "1"],
  ["{{ tables.t[1].a }}{{ tables.t[1].b }}{{ tables.t[1].c }}{{ tables.t[1].d }}", "6x7"],
])("says %s as %s", async (content, said) => {
  expect(await saidBy(await emulatorSaying(content))).toBe(said);
});

test("says in chats what the tables interface replies", async () => {
  const emulator = await emulatorSaying("{{ tables.t | json }}");
  const response = await emulator.fetch("/rest/t", {
    headers: { authorization: "Bearer local-token" },
  });
  const { result } = JSON.parse(await response.text());
  expect(await saidBy(emulator)).toBe(JSON.stringify(result));
});

test("keeps the types of values that are whole templates", async () => {
  const content = {
    big: "{{ tables.t[0].big }}",
    a: "{{ tables.t[0].a }}",
    b: "{{ tables.t[0].b }}",
  };
  expect(await saidBy(await emulatorSaying(content))).toBe(
    '{"big":9223372036854776000,"a":5,"b":{}}',
  );
});
