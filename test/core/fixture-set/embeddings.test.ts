import { expect, test } from "vitest";
import { readFixtureDocument } from "../../../src/core/fixture-set/read-fixtures.ts";
import { readFixtureFiles } from "../../support/read-fixture-files.ts";
import {
  folder,
  problemAtMark,
  problemsOfFolder,
  problemsOfText,
  readText,
} from "./problems-of.ts";

test("reads vectors and neighbours of texts, and models with dimensions", async () => {
  const embeddings = [
    { text: "a", vector: [0.5, -1] },
    { text: "b", near: "a" },
    { text: "c", near: "no other entry" },
  ];
  const models = [{ id: "m", kind: "embedding", dimensions: 384 }];
  const set = await readFixtureDocument({ embeddings, models });
  expect(set.embeddings).toEqual(embeddings);
  expect(set.models[0]?.dimensions).toBe(384);
});

test("reads the embeddings of a folder", async () => {
  const { embeddings } = await readFixtureFiles(
    folder({ "embeddings.jsonc": '[{ "text": "a", "near": "b" }, ]', "models.json": "[]" }),
  );
  expect(embeddings).toEqual([{ text: "a", near: "b" }]);
});

test.each([
  ["▸{}", '"embeddings" must be an array, but is an object.'],
  ['[▸"a"]', '"embeddings[0]" must be an object, but is "a".'],
  ['[▸{ "text": "a" }]', 'An embedding needs either "vector" or "near".'],
  [
    '[▸{ "text": "a", "near": "b", "vector": [1] }]',
    'An embedding needs either "vector" or "near".',
  ],
  ['[▸{ "near": "b" }]', 'The key "text" is missing.'],
  ['[{ "text": ▸"", "near": "b" }]', '"text" must not be empty.'],
  ['[{ "text": "a", ▸"vektor": [1] }]', 'Unknown key "vektor". Did you mean "vector"?'],
  ['[{ "text": "a", "vector": ▸[] }]', '"vector" must not be empty.'],
  ['[{ "text": "a", ▸"vector": [0, 0] }]', "A vector needs at least one number that is not 0."],
  ['[{ "text": "a", "vector": [1, ▸"2"] }]', '"vector[1]" must be a number, but is "2".'],
  ['[{ "text": "a", "near": ▸5 }]', '"near" must be a text, but is 5.'],
  [
    '[{ "text": "a b", "near": "c" }, { "text": ▸"A  b", "vector": [1] }]',
    "Embedding 0 has the same text. Remove one of the two.",
  ],
  ['[{ "text": "a", "near": ▸"c" }, { "text": "c", "near": "A" }]', '"a" would be near to itself'],
])("refuses the embeddings %s", async (embeddings, expected) => {
  expect(await problemAtMark(`{ "seed": 1, "embeddings": ${embeddings} }`)).toContain(expected);
});

test("refuses a vector of more numbers than any model has", async () => {
  const vector = JSON.stringify(Array.from({ length: 8193 }, () => 1));
  const lines = await problemsOfText(
    `{ "seed": 1, "embeddings": [{ "text": "a", "vector": ${vector} }] }`,
  );
  expect(lines).toEqual([expect.stringContaining('"vector" has 8193 items, but can have 8192.')]);
});

function near(text: string, other: string): string {
  return `{ "text": "${text}", "near": "${other}" }`;
}

test("reports each circle of neighbours once", async () => {
  const lines = await problemsOfText(
    `{ "seed": 1, "embeddings": [${near("in", "a")}, ${near("a", "b")}, ${near("b", "a")}, ${near("self", "self")}, ${near("free", "other")}] }`,
  );
  expect(lines).toEqual([
    expect.stringContaining('"a" would be near to itself. Give it a vector, or another neighbour.'),
    expect.stringContaining('"self" would be near to itself.'),
  ]);
});

test.each([
  ['{ "id": "m", ▸"dimensions": 8 }', 'Only a model of the kind "embedding" has dimensions.'],
  ['{ "id": "m", "kind": "embedding", "dimensions": ▸0 }', '"dimensions" must be 1 or more'],
  ['{ "id": "m", "kind": "embedding", "dimensions": ▸9000 }', '"dimensions" must be 8192 or less'],
])("refuses the model %s", async (model, expected) => {
  expect(await problemAtMark(`{ "models": [${model}] }`)).toContain(expected);
});

test("a file of embeddings is known by its name, and may be there once", async () => {
  expect(await problemsOfFolder({ "embedings.json": "[]" })).toEqual([
    expect.stringContaining('Did you mean "embeddings.json"?'),
  ]);
  expect(await problemsOfFolder({ "embeddings.json": "[]", "embeddings.jsonc": "[]" })).toEqual([
    expect.stringContaining("The embeddings are already there"),
  ]);
  expect(await problemsOfFolder({ "embeddings.json": '[\n{ "text": "a", "neer": "b" }]' })).toEqual(
    ['fx/embeddings.json:2:16: Unknown key "neer". Did you mean "near"?'],
  );
});

test("a table of a database may be called embeddings", async () => {
  const { tables, embeddings } = await readText('{ "embeddings": [{ "id": 1, "text": "a" }] }');
  expect(tables.map(({ schema }) => schema.name)).toEqual(["embeddings"]);
  expect(embeddings).toEqual([]);
  const fixtures = await readText('{ "embeddings": [{ "text": "a", "near": "b" }] }');
  expect(fixtures.embeddings).toHaveLength(1);
});
