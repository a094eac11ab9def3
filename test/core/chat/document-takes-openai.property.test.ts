import fc from "fast-check";
import { expect, test } from "vitest";
import { readRequest } from "../../../src/core/chat/request/admit-request.ts";
import { openaiBody } from "../../../src/core/chat/request/fields.ts";
import { documentRules } from "../../../src/core/chat/request/request-rules.ts";
import { isObject } from "../../../src/core/schema/json.ts";
import { isValid, type JsonSchema } from "../../../src/core/schema/schema.ts";
import { inlineSchema } from "../../support/sdk-types.ts";
import { tries } from "../../support/tries.ts";

/** Keys that messages and parts may have besides their own, and some that others of them have. */
const strayKeys = [
  "name",
  "tool_calls",
  "tool_call_id",
  "content",
  "text",
  "refusal",
  "parsed",
  "x",
];

/** Values that fit a JSON Schema. Texts are short. */
function fitting(json: JsonSchema): fc.Arbitrary<unknown> {
  if (Array.isArray(json["enum"])) return fc.constantFrom<unknown>(...json["enum"]);
  if ("const" in json) return fc.constant(json["const"]);
  if (Array.isArray(json["anyOf"])) return fc.oneof(...json["anyOf"].map(fitting));
  switch (json["type"]) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "string":
      return textOf(json);
    case "integer":
    case "number":
      return numberOf(json);
    case "array":
      return fc.array(fitting(schemaOf(json["items"])), {
        minLength: numberIn(json["minItems"], 0),
        maxLength: Math.min(3, numberIn(json["maxItems"], 3)),
      });
    case "object":
      return objectOf(json);
    default:
      return fc.jsonValue();
  }
}

function textOf({ maxLength, minLength, pattern }: JsonSchema): fc.Arbitrary<string> {
  const most = Math.min(20, numberIn(maxLength, 20));
  const any = fc.string({ minLength: numberIn(minLength, 0), maxLength: most, unit: "grapheme" });
  if (typeof pattern !== "string") return any;
  const name = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/);
  return fc.oneof(name, any).filter((text) => new RegExp(pattern).test(text));
}

function numberOf({ type, minimum, maximum }: JsonSchema): fc.Arbitrary<number> {
  const min = Math.max(-1e6, numberIn(minimum, -1e6));
  const max = Math.min(1e6, numberIn(maximum, 1e6));
  return type === "integer"
    ? fc.integer({ min, max })
    : fc.oneof(fc.double({ min, max, noNaN: true }), fc.constantFrom(min, max));
}

function objectOf(json: JsonSchema): fc.Arbitrary<unknown> {
  const properties = Object.entries(schemaOf(json["properties"]));
  const needed: readonly unknown[] = Array.isArray(json["required"]) ? json["required"] : [];
  const own = fc.record(
    Object.fromEntries(properties.map(([key, value]) => [key, fitting(schemaOf(value))])),
    { requiredKeys: properties.map(([key]) => key).filter((key) => needed.includes(key)) },
  );
  const { additionalProperties: rest } = json;
  if (rest === false) return own;
  const key = properties.length === 0 ? fc.string({ maxLength: 8 }) : fc.constantFrom(...strayKeys);
  const stray = fc.dictionary(key, rest === undefined ? fc.jsonValue() : fitting(schemaOf(rest)), {
    maxKeys: 2,
  });
  return fc.tuple(stray, own).map(([more, mine]) => ({ ...more, ...mine }));
}

function numberIn(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

function schemaOf(value: unknown): JsonSchema {
  return isObject(value) ? value : {};
}

const requests = fitting(inlineSchema(openaiBody)).filter((body) => isValid(openaiBody, body));

test("whatever openai takes of the fields of a request, document takes", () => {
  fc.assert(
    fc.property(requests, (body) => {
      const read = readRequest(body, documentRules);
      expect(read.ok ? undefined : read.error.message).toBeUndefined();
    }),
    { numRuns: tries(10_000) },
  );
});

test("the requests that are tried have every field, and messages and parts of every kind", () => {
  const seen = new Set<string>();
  const look = (value: unknown, place: string): void => {
    if (Array.isArray(value)) for (const item of value) look(item, `${place}[]`);
    else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        seen.add(`${place}.${key}`);
        if (key === "role" || key === "type") seen.add(`${place}.${key}=${String(item)}`);
        look(item, `${place}.${key}`);
      }
    }
  };
  for (const body of fc.sample(requests, 1_000)) look(body, "");
  const json = inlineSchema(openaiBody);
  const wanted = [
    ...Object.keys(schemaOf(json["properties"])).map((name) => `.${name}`),
    ...["system", "developer", "user", "assistant", "tool", "function"].map(
      (role) => `.messages[].role=${role}`,
    ),
    ...["text", "image_url", "input_audio", "file", "refusal"].map(
      (type) => `.messages[].content[].type=${type}`,
    ),
    ...["function", "custom"].flatMap((type) => [
      `.messages[].tool_calls[].type=${type}`,
      `.tools[].type=${type}`,
      `.tool_choice.type=${type}`,
    ]),
    ...["text", "json_object", "json_schema"].map((type) => `.response_format.type=${type}`),
  ];
  expect([...seen]).toEqual(expect.arrayContaining(wanted));
});
