import { Validator } from "@cfworker/json-schema";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { randomFromSeed } from "../../../src/core/emulator/environment.ts";
import { makeValue } from "../../../src/core/json-schema/make-value.ts";
import { tries } from "../../support/tries.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Schemas that some value fits: each limit is on the right side of a value that is drawn first. */
const { schema: anySchema } = fc.letrec<{ schema: Schema; leaf: Schema }>((tie) => ({
  leaf: fc.oneof(
    fc
      .record({ value: fc.integer({ min: -500, max: 500 }), below: fc.nat(9), above: fc.nat(9) })
      .map(({ value, below, above }) => ({
        type: "integer",
        minimum: value - below,
        maximum: value + above,
      })),
    fc
      .record({
        step: fc.constantFrom(0.01, 0.1, 0.25, 3, 7),
        times: fc.integer({ min: 1, max: 99 }),
      })
      .map(({ step, times }) => ({
        type: "number",
        multipleOf: step,
        exclusiveMinimum: (times - 1) * step,
        maximum: (times + 1) * step,
      })),
    fc
      .record({ least: fc.nat(30), more: fc.nat(10) })
      .map(({ least, more }) => ({ type: "string", minLength: least, maxLength: least + more })),
    fc
      .constantFrom("^[a-f0-9]{8}$", "^(?:on|off)$", "^\\w+@\\w+\\.com$", "^[^\\s,]{2,5}$", "\\d+")
      .map((pattern) => ({ type: "string", pattern })),
    fc
      .constantFrom("date", "date-time", "email", "uuid", "uri", "ipv4", "hostname", "time")
      .map((format) => ({ type: "string", format })),
    fc.constantFrom<Schema>(
      { type: "boolean" },
      { type: "null" },
      { type: ["string", "null"] },
      {},
    ),
    fc.array(fc.jsonValue(), { minLength: 1, maxLength: 4 }).map((values) => ({ enum: values })),
    fc.jsonValue().map((value) => ({ const: value })),
  ),
  schema: fc.oneof(
    { maxDepth: 3 },
    tie("leaf"),
    fc.record({ items: tie("schema"), minItems: fc.nat(3) }).map(({ items, minItems }) => ({
      type: "array",
      items,
      minItems,
      maxItems: minItems + 2,
    })),
    fc.nat(4).map((count) => ({
      type: "array",
      items: { type: "integer", minimum: 1, maximum: 6 },
      uniqueItems: true,
      minItems: count,
    })),
    fc
      .array(tie("schema"), { minLength: 1, maxLength: 3 })
      .map((all) => ({ type: "array", prefixItems: all, items: false, minItems: all.length })),
    fc
      .record({
        properties: fc.dictionary(fc.string({ maxLength: 8 }), tie("schema"), { maxKeys: 4 }),
        isClosed: fc.boolean(),
        skip: fc.nat(4),
      })
      .map(({ properties, isClosed, skip }) => ({
        type: "object",
        properties,
        required: Object.keys(properties).slice(skip),
        ...(isClosed ? { additionalProperties: false } : {}),
      })),
    fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((all) => ({ anyOf: all })),
    fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((all) => ({
      oneOf: all.map((schema, kind) => ({
        type: "object",
        properties: { kind: { const: kind }, value: schema },
        required: ["kind", "value"],
      })),
    })),
    tie("schema").map((schema) => ({ allOf: [schema, {}], not: false })),
    tie("schema").map((schema) => ({
      type: "object",
      properties: { first: schema, rest: { anyOf: [{ type: "null" }, { $ref: "#" }] } },
      required: ["first", "tables"],
    })),
  ),
}));

test("a value that is made from any schema that has one fits it", () => {
  fc.assert(
    fc.property(anySchema, fc.integer(), (inner, seed) => {
      // References to the root are to this one.
      const schema = { type: "object", properties: { value: inner }, required: ["value"] };
      const { value, misfit } = makeValue(schema, randomFromSeed(seed).next);
      expect(misfit).toBeUndefined();
      const judge = new Validator(JSON.parse(JSON.stringify(schema)), "2020-12", false);
      expect(judge.validate(value).errors).toEqual([]);
    }),
    { numRuns: tries(500) },
  );
});

test("any schema at all gives a value, in time", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...keywords), fc.jsonValue()), (schema) => {
      const { value } = makeValue(schema, randomFromSeed(1).next);
      expect(JSON.parse(JSON.stringify(value))).toEqual(value);
    }),
    { numRuns: tries(500) },
  );
});

const keywords = (
  "type enum const properties required items prefixItems anyOf oneOf allOf not if then $ref $defs $id pattern " +
  "format minLength minItems minProperties multipleOf minimum additionalProperties contains propertyNames " +
  "patternProperties dependentRequired uniqueItems default $schema"
).split(" ");
