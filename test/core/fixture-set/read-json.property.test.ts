import fc from "fast-check";
import { expect, test } from "vitest";
import {
  JsonPositions,
  readWithPositions,
} from "../../../src/core/fixture-set/json/json-positions.ts";
import { readJson } from "../../../src/core/fixture-set/json/read-json.ts";
import { offsetAt } from "../../../src/core/fixture-set/json/text-position.ts";
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

test("takes exactly the texts that JSON.parse takes", () => {
  const nearlyJson = fc.tuple(fc.json(), fc.nat(), soup).map(([json, at, noise]) => {
    const place = at % (json.length + 1);
    return json.slice(0, place) + noise.slice(0, 2) + json.slice(place);
  });
  fc.assert(
    fc.property(fc.oneof(soup, fc.json(), nearlyJson), (text) => {
      expect("value" in readWithPositions(text, false)).toBe(parses(text));
    }),
    { numRuns: tries(2000) },
  );
});

/** Keys that may be there twice, numbers that a double may not hold, and what could be taken for structure. */
const doubtful = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.json(),
    fc.constantFrom("1e999", "1E+100", "0.12345678901234567", "12345678901234567890", "2e-400"),
    fc
      .string({ unit: fc.constantFrom("a", '"', "\\", ":", "{", "]", "1") })
      .map((text) => JSON.stringify(text)),
    fc.array(tie("json")).map((items) => `[${items.join(" , ")}]`),
    fc
      .array(fc.tuple(fc.constantFrom('"a"', '"\\u0061"', '"__proto__"', '"\\\\"'), tie("json")))
      .map((members) => `{${members.map((member) => member.join(" :")).join(",")}}`),
  ),
})).json;

test("reads a text alike with positions and without, problems included", async () => {
  await fc.assert(
    fc.asyncProperty(doubtful, async (text) => {
      const read = await readJson(text, false);
      expect(read).toEqual(readWithPositions(text, false));
      // A key that is there twice, or a number that would be changed, is the only reason for a problem.
      if (read.problems.length === 0) expect(read.value).toEqual(JSON.parse(text));
    }),
    { numRuns: tries(300) },
  );
});

test("finds a key that is there twice beside one that ends in a backslash", async () => {
  const { problems } = await readJson(String.raw`{"a":1,"a":2,"\\":3}`, false);
  expect(problems).toMatchObject([{ message: expect.stringContaining("appears twice") }]);
});

test("finds where a value starts", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, value) => {
      const text = `{ "a": ${JSON.stringify(before)},\n "b": [0, ${JSON.stringify(value)}] }`;
      const place = new JsonPositions(text).placeOf({ path: ["b", 1], at: "value" });
      expect(text.slice(offsetAt(text, place))).toBe(`${JSON.stringify(value)}] }`);
    }),
  );
});
