import { expect, test } from "vitest";
import { readFixtureDocument } from "../../../src/core/fixture-set/read-fixtures.ts";
import { problemAtMark, problemsOfText, problemsOfValue } from "./problems-of.ts";

test("reads every setting", async () => {
  const { settings } = await readFixtureDocument({
    $schema: "./fixtures.schema.json",
    AUTHORIZATION_TOKEN: "secret",
    apiKeys: ["a", "b"],
    seed: 7,
    clock: "2024-01-01T01:00:00+01:00",
    profiles: { tables: "document", chat: "openai" },
    chat: { unmatched: "error" },
  });
  expect(settings).toEqual({
    token: "secret",
    apiKeys: ["a", "b"],
    seed: 7,
    clock: Date.UTC(2024, 0, 1),
    tablesProfile: "document",
    chatProfile: "openai",
    unmatched: "error",
  });
});

test("reads an empty document", async () => {
  expect(await readFixtureDocument({})).toMatchObject({
    kind: "fixture-set",
    settings: {},
    models: [],
    tables: [],
    scripts: [],
  });
});

test.each([
  ['{ ▸"sed": 1 }', 'Unknown key "sed". Did you mean "seed"?'],
  ['{ "seed": ▸"1" }', '"seed" must be a number, but is "1".'],
  ['{ "seed": ▸1.5 }', '"seed" must be a whole number, but is 1.5.'],
  ['{ "AUTHORIZATION_TOKEN": ▸"" }', '"AUTHORIZATION_TOKEN" must not be empty.'],
  ['{ "AUTHORIZATION_TOKEN": ▸5309 }', '"AUTHORIZATION_TOKEN" must be a text.'],
  ['{ "apiKeys": ▸"a" }', '"apiKeys" must be an array.'],
  ['{ "apiKeys": ["a", ▸2] }', '"apiKeys[1]" must be a text.'],
  [
    '{ "clock": ▸"yesterday" }',
    '"clock" must be a time such as "2024-01-01T00:00:00Z", but is "yesterday".',
  ],
  [
    '{ "clock": ▸"2024-02-30" }',
    '"clock" must be a time such as "2024-01-01T00:00:00Z", but is "2024-02-30".',
  ],
  [
    '{ "profiles": { "tables": ▸"documnt" } }',
    'Expected "document" or "starbasedb", but found "documnt". Did you mean "document"?',
  ],
  ['{ "profiles": { "tables": ▸"x" } }', 'Expected "document" or "starbasedb", but found "x".'],
  ['{ "profiles": ▸[] }', '"profiles" must be an object, but is an array.'],
  ['{ "chat": { "unmatched": ▸true } }', 'Expected "echo" or "error", but found true.'],
  ['{ "seed": 1, ▸"users": [] }', 'Unknown key "users". Put tables into "tables".'],
  ['{ "seed": 1, "limits": ▸3 }', '"limits" must be an object, but is 3.'],
  ['{ "seed": 1, "limits": { "requestsPerMinute": ▸0 } }', "must be 1 or more, but is 0."],
  ['{ "tokenizer": ▸"o200k_bas" }', 'Did you mean "o200k_base"?'],
  ['{ "chats": ▸{} }', '"chats" must be an array of scripts, but is an object.'],
  ['{ "tables": ▸[] }', '"tables" must be an object, but is an array.'],
  ['{ "models": ▸{} }', '"models" must be an array, but is an object.'],
  ["▸[]", "Expected an object such as "],
  ["▸7", "Expected an object such as "],
])("refuses %s", async (text, expected) => {
  expect(await problemAtMark(text)).toContain(expected);
});

test.each(["__proto__", "constructor", "toString"])("refuses the unknown key %s", async (key) => {
  const name = JSON.stringify(key);
  const inSettings = await problemAtMark(`{ "seed": 1, ▸${name}: 1 }`);
  const inModel = await problemAtMark(`{ "models": [{ "id": "a", ▸${name}: 1 }] }`);
  expect([inSettings, inModel]).toEqual([
    expect.stringContaining(`Unknown key ${name}.`),
    expect.stringContaining(`Unknown key ${name}.`),
  ]);
});

test("tells all problems at once, from top to bottom", async () => {
  const text = '{\n  "sed": 1,\n  "apiKeys": [1],\n  "models": [{}]\n}';
  const lines = await problemsOfText(text);
  expect(lines.map((line) => line.slice(0, 14))).toEqual([
    "db.json:2:3: U",
    "db.json:3:15: ",
    "db.json:4:14: ",
  ]);
});

test("shows the first hundred problems and counts the others", async () => {
  const lines = await problemsOfValue({ apiKeys: Array.from({ length: 130 }, () => 1) });
  expect(lines).toHaveLength(101);
  expect(lines.at(-1)).toBe("and 30 more problems.");
});

test("locates problems of a value by its path", async () => {
  const value = { tables: { users: { rows: [{ id: 1 }] }, "my notes": { rowz: [] } }, seed: "x" };
  expect(await problemsOfValue(value)).toEqual([
    'seed: "seed" must be a number, but is "x".',
    'tables["my notes"].rowz: Unknown key "rowz". Did you mean "rows"?',
  ]);
});

test.each([
  [Number.NaN, "the value NaN"],
  [() => 1, "a function"],
  [1n, "the bigint 1n"],
  [new Map(), "an object of the class Map"],
  [Symbol("x"), "a symbol"],
])("refuses %s in a value, which JSON does not have", async (wrong, named) => {
  const [line] = await problemsOfValue({ tables: { t: [{ id: 1, a: wrong }] } });
  expect(line).toContain(`tables.t[0].a: The value is ${named}`.replace("the value ", ""));
});

test("refuses a value that contains itself", async () => {
  const row: Record<string, unknown> = { id: 1 };
  row["self"] = row;
  const [line] = await problemsOfValue({ tables: { t: [row] } });
  expect(line).toContain("nested deeper than 100 levels, or contains itself");
});

test("leaves out what is undefined, and takes dates as texts", async () => {
  const row = { id: 1, at: new Date(0), gone: undefined };
  const { tables } = await readFixtureDocument({ seed: undefined, tables: { t: [row] } });
  expect(tables[0]?.rows).toEqual([{ id: 1, at: "1970-01-01T00:00:00.000Z" }]);
});

test("fills in what models leave out", async () => {
  const { models } = await readFixtureDocument({ models: [{ id: "a" }, { id: "b", created: 5 }] });
  expect(models).toEqual([
    { id: "a", owned_by: "backlot", created: 1_704_067_200, kind: "chat" },
    { id: "b", owned_by: "backlot", created: 5, kind: "chat" },
  ]);
});

test.each([
  ['[{ "id": "a" }, { "id": ▸"a" }]', 'Another model has the id "a".'],
  ['[▸{ "kind": "chat" }]', 'The key "id" is missing.'],
  ['[{ ▸"di": "a" }]', 'Unknown key "di". Did you mean "id"?'],
  ['[{ "id": ▸"" }]', '"id" must not be empty.'],
  ['[{ "id": "a", "kind": ▸"embeddings" }]', 'Did you mean "embedding"?'],
  ['[{ "id": "a", "contextLength": ▸0 }]', '"contextLength" must be 1 or more, but is 0.'],
  ['[▸"a"]', '"models[0]" must be an object, but is "a".'],
])("refuses the models %s", async (models, expected) => {
  expect(await problemAtMark(`{ "models": ${models} }`)).toContain(expected);
});

test("reads every setting that the command line has too", async () => {
  const given = { basePath: "/api", auth: false, cors: false, speed: 0, latency: 5, port: 0 };
  const chat = { pace: { gapMs: 20 }, load: { capacity: 5 } };
  const { settings } = await readFixtureDocument({ ...given, host: "::1", chat });
  const { pace, load } = chat;
  const read = { basePath: ["/api"], latency: [5, 5], host: "::1", pace, load: [load] };
  expect(settings).toEqual({ ...given, ...read });
});

test.each([
  ['"basePath": ▸"v1"', 'Expected a path that begins with "/"'],
  ['"auth": ▸"no"', '"auth" must be true or false, but is "no".'],
  ['"cors": ▸"all"', '"cors" must be true, false or {"origins": [...]}, but is "all".'],
  ['"cors": { "origins": [▸"app.test"] }', "Expected an origin in lower case, such as "],
  ['"cors": { "origins": [▸"https://app.test/"] }', "Expected an origin in lower case, such as "],
  ['"cors": { ▸"orgins": ["*"] }', 'Unknown key "orgins". Did you mean "origins"?'],
  ['"hosts": [▸"app.test:80"]', 'Expected a name without a port, such as "app.test"'],
  ['"speed": ▸-1', '"speed" must be 0 or more, but is -1.'],
  ['"latency": ▸[5, 1]', '"latency" must be milliseconds, or the shortest and the longest time.'],
  ['"chat": { "pace": { "gapMs": ▸1, "tokensPerSecond": 2 } }', "The pace is impossible: gapMs"],
  [
    '"chat": { "pace": { "firstTokenMs": ▸{ "p50": 9, "p99": 5 } } }',
    '"p50" is 9, which is more than "p99", 5.',
  ],
  [
    '"chat": { "pace": { "gapMs": { "p50": 9, ▸"p90": 15 } } }',
    'Unknown key "p90". Did you mean "p99"?',
  ],
  [
    '"chat": { "pace": { "gapMs": { "mean": 9, "stdDev": 1 }, "jitter": ▸0.5 } }',
    "jitter varies a fixed gap",
  ],
  ['"chat": { "load": ▸{ "queue": 5 } }', 'The key "capacity" is missing.'],
  ['"chat": { "load": { "capacity": ▸0 } }', '"capacity" must be 1 or more, but is 0.'],
  [
    '"chat": { "load": { "capacity": 1, ▸"time-factor": 2 } }',
    'Unknown key "time-factor". Did you mean "timeFactor"?',
  ],
  [
    '"chat": { "load": ▸[{ "capacity": 1 }, { "model": "large-*", "capacity": 2 }] }',
    "Rule 1 holds for every model, so the rules after it never apply. Put it last.",
  ],
  ['"port": ▸65536', '"port" must be 65535 or less, but is 65536.'],
])("refuses the setting %s", async (setting, expected) => {
  expect(await problemAtMark(`{ ${setting} }`)).toContain(expected);
});

test("lets a document of tables have tables that are called as settings are", async () => {
  const document = { port: [{ id: 1 }], host: { name: "x" }, hosts: [{ id: 1 }] };
  const { tables } = await readFixtureDocument(document);
  expect(tables.map(({ schema }) => schema.name)).toEqual(["port", "host", "hosts"]);
});
