import fc from "fast-check";
import { expect, test } from "vitest";
import { readJsonNodes } from "../../../src/core/fixture-set/json/json-reader.ts";
import { JsonSyntaxError } from "../../../src/core/fixture-set/json/json-scanner.ts";
import { offsetOf } from "../../../src/core/fixture-set/json/json-path.ts";
import { readJson } from "../../../src/core/fixture-set/json/read-json.ts";
import { tries } from "../../support/tries.ts";

const soup = fc
  .array(
    fc.constantFrom(
      ...'{}[]",:\\ \n\t\r0123-+.eEutrfalsn"'.split(""),
      "true",
      "null",
      '"a"',
      "\\u0041",
    ),
  )
  .map((parts) => parts.join(""));

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function reads(text: string): boolean {
  try {
    readJsonNodes(text, false);
    return true;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false;
    throw error;
  }
}

test("takes exactly the texts that JSON.parse takes", () => {
  const nearlyJson = fc.tuple(fc.json(), fc.nat(), soup).map(([json, at, noise]) => {
    const place = at % (json.length + 1);
    return json.slice(0, place) + noise.slice(0, 2) + json.slice(place);
  });
  fc.assert(
    fc.property(fc.oneof(soup, fc.json(), nearlyJson), (text) => {
      expect(reads(text)).toBe(parses(text));
    }),
    { numRuns: tries(2000) },
  );
});

test("gives the value that JSON.parse gives, in both modes", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value: unknown = JSON.parse(text);
      for (const read of [readJson(text, true), readJson(text, false)]) {
        // A key that is there twice, or a number that would be changed, is the only reason for a problem.
        if (read.problems.length === 0) expect(read.value).toEqual(value);
      }
    }),
  );
});

test("finds where a value starts", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, value) => {
      const text = `{ "a": ${JSON.stringify(before)}, "b": [0, ${JSON.stringify(value)}] }`;
      const offset = offsetOf(readJsonNodes(text, false), ["b", 1], "value");
      expect(text.slice(offset)).toBe(`${JSON.stringify(value)}] }`);
    }),
  );
});
