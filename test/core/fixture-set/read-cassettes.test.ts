import { expect, test } from "vitest";
import {
  readFixtureDocument,
  readFixtureFiles,
} from "../../../src/core/fixture-set/read-fixtures.ts";
import { askedFor, reading, recordedFixtures, saying, streamed } from "../../support/cassettes.ts";
import { schemaAccepts } from "./json-schema.ts";
import { folder, problemsOfFolder, problemsOfText, problemsOfValue } from "./problems-of.ts";

const cassette = { interface: "tables", upstream: "https://api.example.com", recordings: [] };

function recording(answer: object, request: object = {}): object {
  const recorded = { request: { ...reading("/users"), ...request }, answer };
  return { cassettes: [{ ...cassette, recordings: [recorded] }] };
}

const answer = { status: 200, headers: {}, afterMs: 1 };

test("reads the cassettes of a folder by the names of their files, after those of the config", async () => {
  const set = await readFixtureFiles(
    folder({
      "cassettes/b.json": JSON.stringify(cassette),
      "cassettes/a.jsonc": `${JSON.stringify({ ...cassette, name: "a" })} // recorded`,
      "cassettes/README.md": "# Notes",
      "config.json": JSON.stringify({
        cassettes: [{ ...cassette, name: "first" }, cassette],
        recording: { headers: ["X-Tenant"], redact: [{ regex: "\\d{16}", as: "card" }] },
      }),
    }),
  );
  expect(set.cassettes.map(({ name }) => name)).toEqual(["first", "cassette-2", "a", "b"]);
  expect(set.recording).toEqual({
    volatile: [],
    headers: ["x-tenant"],
    redact: [{ regex: "\\d{16}", as: "card" }],
  });
});

test("fixtures without cassettes have none, and the usual rules", async () => {
  const { cassettes, recording: rules } = await readFixtureDocument({});
  expect([cassettes, rules]).toEqual([[], { volatile: [], headers: [], redact: [] }]);
});

test.each([
  recordedFixtures({
    chat: [[askedFor("Hello"), streamed([[1, "a"]], { end: { atMs: 2, how: "hang" } })]],
    rules: {
      volatile: ["body", "query.*", "body.a\\.b.0.*"],
      redact: [{ path: "body.k", as: "k" }],
    },
  }),
  recording({ ...answer, status: 0, end: { atMs: 1, how: "reset" } }),
  recording({ ...answer, end: { atMs: 1, how: "reset" } }),
  recording({ ...answer, stream: [] }),
  recording({ ...answer, body: { base64: "" } }, { path: "", query: "a=1?" }),
  recording({ ...answer, body: { text: "😀" } }, { body: { json: "\ud800" } }),
  recording({ ...answer, body: { json: null, indent: 2, end: "\n" } }),
])("takes the document %j, and so does the schema for editors", async (document) => {
  await expect(readFixtureDocument(document)).resolves.toMatchObject({ kind: "fixture-set" });
  expect(schemaAccepts(document)).toBe(true);
});

test.each<[object, string]>([
  [{ cassettes: {} }, 'cassettes: "cassettes" must be an array, but is an object.'],
  [{ cassettes: [{ ...cassette, interface: "tabels" }] }, 'found "tabels". Did you mean "tables"?'],
  [
    { cassettes: [{ ...cassette, recording: [] }] },
    'Unknown key "recording". Did you mean "recordings"?',
  ],
  [
    {
      cassettes: [
        { ...cassette, name: "a" },
        { ...cassette, name: "a" },
      ],
    },
    'cassettes[1].name: Another cassette is called "a".',
  ],
  [recording({ ...answer, status: 99 }), '"status" must be 0, or from 200 to 599, but is 99.'],
  [recording({ ...answer, status: 600 }), '"status" must be 599 or less'],
  [
    recording({ ...answer, headers: { "X-A": "1" } }),
    'answer.headers["X-A"]: Expected a lower-case header name',
  ],
  [
    recording({ ...answer, headers: { a: "1\n2" } }),
    "answer.headers.a: Expected a valid header value",
  ],
  [recording({ ...answer, body: { jsn: 1 } }), 'Unknown key "jsn". Did you mean "json"?'],
  [
    recording({ ...answer, body: { text: "", json: 1 } }),
    'Give only one of "json", "text" or "base64"',
  ],
  [recording({ ...answer, body: { base64: "AP+" } }), "Expected base64"],
  [recording(answer, { body: { text: "a\ud800" } }), "request.body.text: Expected UTF-8 text"],
  [recording({ ...answer, body: { text: "\udc00" } }), "answer.body.text: Expected UTF-8 text"],
  [
    recording({ ...answer, stream: [{ atMs: 1, text: "\ud83d" }] }),
    "answer.stream[0].text: Expected UTF-8 text",
  ],
  [recording({ ...answer, body: { json: 1, indent: 0 } }), '"indent" must be 1 or more'],
  [recording({ ...answer, body: { text: "" }, stream: [] }), 'Give "body" or "stream"'],
  [
    recording({ ...answer, body: { text: "" }, end: { atMs: 1, how: "close" } }),
    '"end" needs a "stream".',
  ],
  [recording({ ...answer, status: 0, body: { text: "" } }), "The status 0 means no answer"],
  [
    recording({
      ...answer,
      stream: [
        { atMs: 2, text: "" },
        { atMs: 1, text: "" },
      ],
    }),
    "1 is too early",
  ],
  [
    recording({ ...answer, stream: [{ atMs: 2, text: "" }], end: { atMs: 1, how: "close" } }),
    "1 is too early",
  ],
  [recording({ ...answer, end: { atMs: 1, how: "rest" } }), 'found "rest". Did you mean "reset"?'],
  [recording(answer, { path: "users" }), "request.path: Expected a path without a query"],
  [recording(answer, { query: 1 }), 'request.query: "query" must be a text'],
  [recording(answer, { method: "" }), "request.method: Expected a method"],
  [{ recording: { volatil: [] } }, 'Unknown key "volatil". Did you mean "volatile"?'],
  [
    { recording: { volatile: ["boddy.a"] } },
    'recording.volatile[0]: "boddy.a" is not a valid place',
  ],
  [{ recording: { volatile: ["header"] } }, '"header" is not a valid place'],
  [{ recording: { headers: ["a b"] } }, "Expected a header name"],
  [{ recording: { redact: [{ path: "body.a", as: "[x]" }] } }, 'Expected a word such as "email"'],
  [{ recording: { redact: [{ regex: "(", as: "x" }] } }, "recording.redact[0]"],
  [{ recording: { redact: [{ regex: "a*", as: "x" }] } }, "matches the empty text"],
  [{ recording: { redact: [{ as: "x" }] } }, "recording.redact[0]"],
])("refuses the document %j", async (document, problem) => {
  expect((await problemsOfValue(document)).join("\n")).toContain(problem);
});

test("tells file, line and column of what is wrong with a cassette", async () => {
  const text = JSON.stringify({ ...cassette, recordings: [{ request: reading("/a") }] }, null, 2);
  const named = JSON.stringify({ ...cassette, name: "other" });
  const lines = await problemsOfFolder({ "cassettes/a.json": text, "cassettes/b.json": named });
  expect(lines).toEqual([
    'fx/cassettes/a.json:5:5: The key "answer" is missing.',
    expect.stringMatching(
      /^fx\/cassettes\/b\.json:1:\d+: The cassette takes its file's name, "b"\./,
    ),
  ]);
});

test("tells two files of one name, and a config that has another cassette of it", async () => {
  const text = JSON.stringify(cassette);
  const config = JSON.stringify({ cassettes: [{ ...cassette, name: "a" }] });
  const lines = await problemsOfFolder({
    "cassettes/a.json": text,
    "cassettes/a.jsonc": text,
    "config.json": config,
  });
  expect(lines).toEqual([
    expect.stringContaining('fx/cassettes/a.json:1:1: Another cassette is called "a".'),
    expect.stringContaining('fx/cassettes/a.jsonc:1:1: Another cassette is called "a".'),
  ]);
});

test("a document with cassettes is one of fixtures, and one with a table `recording` is tables", async () => {
  const lines = await problemsOfText(JSON.stringify({ casettes: [cassette], users: [{ id: 1 }] }));
  expect(lines.join()).toContain('Unknown key "casettes". Did you mean "cassettes"?');
  const { tables } = await readFixtureFiles(
    [{ name: "db.json", path: "db.json", text: '{ "recording": [{ "id": 1 }] }' }],
    { layout: "document" },
  );
  expect(tables.map(({ schema }) => schema.name)).toEqual(["recording"]);
});

test("a body says what it is, whatever names and numbers it has", async () => {
  const json: unknown = JSON.parse('{"__proto__":{"a":1},"n":1e21,"m":0.1,"s":"\\ud800"}');
  const document = recordedFixtures({ tables: [[reading("/a"), saying(json)]] });
  const text = JSON.stringify(document);
  const set = await readFixtureFiles([{ name: "a.json", path: "a.json", text }], {
    layout: "document",
  });
  expect(JSON.stringify(set.cassettes[0]?.recordings[0]?.answer.body)).toBe(
    JSON.stringify(saying(json).body),
  );
});
