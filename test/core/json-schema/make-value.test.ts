import { Validator } from "@cfworker/json-schema";
import { expect, test } from "vitest";
import { randomFromSeed } from "../../../src/core/emulator/environment.ts";
import { makeValue, misfitOf } from "../../../src/core/json-schema/make-value.ts";

type Schema = Parameters<typeof makeValue>[0];

function make(schema: Schema, seed = 1) {
  return makeValue(schema, randomFromSeed(seed).next);
}

const node = {
  type: "object",
  properties: {
    name: { type: "string" },
    children: { type: "array", items: { $ref: "#/$defs/node" } },
    next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] },
  },
  required: ["name", "children", "next"],
  additionalProperties: false,
};

const draft7 = "http://json-schema.org/draft-07/schema#";
const draft4 = "http://json-schema.org/draft-04/schema#";
const drafts: Readonly<Record<string, "4" | "7">> = { [draft4]: "4", [draft7]: "7" };

const formats = (
  "date time date-time duration email hostname ipv4 ipv6 uri url uri-reference uri-template uuid regex json-pointer " +
  "relative-json-pointer"
).split(" ");

test.each<Schema>([
  true,
  {},
  { type: ["integer", "null"], minimum: 5 },
  { enum: [1, "two", null] },
  { const: { a: [1] } },
  { type: "number", minimum: 1, maximum: 2, multipleOf: 0.1 },
  { type: "number", multipleOf: 0.01, minimum: 0.05, maximum: 0.06 },
  { type: "integer", exclusiveMinimum: 3, exclusiveMaximum: 5 },
  { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 0.001 },
  { type: "integer", minimum: 1e12 },
  { type: "integer", maximum: -100 },
  { type: "integer", multipleOf: 7, minimum: 50, maximum: 56 },
  { type: "integer", minimum: 1.5, maximum: 2.5 },
  { type: "number", minimum: 3, exclusiveMinimum: true, $schema: draft4 },
  { type: "string", minLength: 200 },
  { type: "string", maxLength: 0 },
  { type: "string", minLength: 5, maxLength: 5 },
  { type: "string", pattern: "^[A-Z]{3}-\\d{4}$" },
  { type: "string", pattern: "^(?!foo)[a-z]+$" },
  { type: "string", pattern: "^\\p{Lu}\\w*$", minLength: 4 },
  { type: "string", pattern: "^(\\w)(?<b>.)\\1\\k<b>$" },
  { type: "string", pattern: "^(?=.*\\d)(?=.*[a-z])(?=.*[A-Z]).{8,}$" },
  { type: "string", pattern: "^\\S+ \\S+$", minLength: 40 },
  { type: "string", pattern: "[\\u4e00-\\u9fa5]{2}" },
  { type: "string", pattern: "^x|y$", minLength: 3 },
  ...formats.map((format) => ({ type: "string", format })),
  { type: "string", format: "email", maxLength: 12 },
  { type: "string", format: "email", minLength: 150 },
  { type: "string", format: "uri", minLength: 60 },
  { type: "string", format: "something-else", minLength: 3 },
  { type: "array", items: { type: "boolean" }, uniqueItems: true, minItems: 2 },
  { type: "array", items: { enum: [1, 2, 3, 4] }, uniqueItems: true, minItems: 4 },
  { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false },
  { type: "array", prefixItems: [{ const: 1 }], minItems: 3, items: { type: "boolean" } },
  { type: "array", items: [{ const: 1 }], additionalItems: false, minItems: 1, $schema: draft7 },
  { type: "array", contains: { const: 5 }, minContains: 2, items: { type: "integer" } },
  { type: "array", minItems: 10, maxItems: 10, items: { enum: ["a", "b"] } },
  { type: "object", required: ["z"], additionalProperties: { type: "integer" } },
  { type: "object", minProperties: 3, maxProperties: 3 },
  { type: "object", propertyNames: { pattern: "^[a-z]{3}$" }, minProperties: 2 },
  {
    type: "object",
    patternProperties: { "^x-": { type: "integer" } },
    additionalProperties: false,
    minProperties: 2,
  },
  { type: "object", properties: { ["__proto__"]: { type: "integer" } }, required: ["__proto__"] },
  { properties: { a: { type: "string" } }, required: ["a"] },
  { oneOf: [{ type: "integer" }, { type: "number", minimum: 100 }] },
  { oneOf: [{ required: ["a"] }, { required: ["b"] }], properties: { a: true, b: true } },
  { anyOf: [{ type: "string", maxLength: 3 }, { type: "null" }] },
  { allOf: [{ minimum: 3 }, { maximum: 4 }, { type: "integer" }] },
  { allOf: [{ required: ["a"] }, { properties: { a: { type: "integer" } } }], type: "object" },
  { not: { type: "string" } },
  { type: "string", not: { enum: ["a"] } },
  // As text: linters take a key "then" for that of a promise.
  JSON.parse(
    '{"type":"object","properties":{"kind":{"enum":["x","z"]},"y":{"type":"integer"},"w":{"type":"integer"}},' +
      '"required":["kind"],"if":{"properties":{"kind":{"const":"x"}}},"then":{"required":["y"]},' +
      '"else":{"required":["w"]}}',
  ),
  { type: "object", properties: { a: {} }, required: ["a"], dependentRequired: { a: ["b"] } },
  { $ref: "#/$defs/node", $defs: { node } },
  { type: "object", properties: { self: { $ref: "#" } } },
  { $ref: "#named", $defs: { other: { $anchor: "named", type: "integer" } } },
  {
    $ref: "#/definitions/a",
    minimum: 99,
    definitions: { a: { type: "integer", maximum: 5 } },
    $schema: draft7,
  },
  {
    $ref: "#/$defs/a",
    $defs: {
      a: { type: "object", properties: { b: { $ref: "#/$defs/b" } }, required: ["b"] },
      b: { anyOf: [{ $ref: "#/$defs/a" }, { type: "string" }] },
    },
  },
])("makes values that fit %j", (schema) => {
  for (let seed = 1; seed <= 10; seed++) {
    const { value, misfit } = make(schema, seed);
    expect(misfit).toBeUndefined();
    const name = typeof schema === "object" ? String(schema["$schema"]) : "";
    const draft = drafts[name] ?? "2020-12";
    const judge = new Validator(JSON.parse(JSON.stringify(schema)), draft);
    expect(judge.validate(value), JSON.stringify(value)).toMatchObject({ valid: true });
  }
});

test("the same numbers give the same value, and others another", () => {
  const schema = { type: "object", properties: { a: { type: "string" }, b: { type: "number" } } };
  expect(make(schema, 1)).toEqual(make(schema, 1));
  expect(make(schema, 1)).not.toEqual(make(schema, 2));
});

test.each<[string, Schema, unknown]>([
  ["the default", { type: "string", default: "usual" }, "usual"],
  ["an example", { type: "integer", examples: [7, 8] }, 7],
  ["OpenAPI's example", { type: "integer", example: 9 }, 9],
  ["no default that does not fit", { type: "integer", default: "x", examples: [7] }, 7],
  ["no null where something else fits", { type: ["null", "boolean"], not: { const: true } }, false],
  ["what is optional", { properties: { a: { const: 1 } } }, { a: 1 }],
  ["an entry of a dictionary", { additionalProperties: { const: 1 } }, { winter: 1 }],
])("prefers %s", (_, schema, value) => {
  expect(make(schema).value).toEqual(value);
});

test.each<[string, Schema, string]>([
  ["a pattern that is none", { type: "string", pattern: "[" }, "Invalid regular"],
  ["a foreign reference", { $ref: "https://other.test/schema" }, "Unresolved $ref"],
  [
    "what never ends",
    { type: "object", properties: { a: { $ref: "#" } }, required: ["a"] },
    'required property "a"',
  ],
  ["limits that cross", { type: "integer", minimum: 5, maximum: 4 }, "is greater than 4"],
  ["too many items", { type: "array", minItems: 1_000_000 }, 'Expected "array"'],
])("says why no value fits %s", (_, schema, why) => {
  expect(make(schema).misfit).toContain(why);
});

test("says where a value does not fit", () => {
  const schema = { properties: { a: { type: "array", items: { type: "integer" } } } };
  expect(misfitOf(schema, { a: [1, "x"] })).toBe(
    'a/1: Instance type "string" is invalid. Expected "integer"',
  );
  expect(misfitOf(schema, { a: [1] })).toBeUndefined();
});
