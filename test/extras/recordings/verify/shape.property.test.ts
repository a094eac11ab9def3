import fc from "fast-check";
import { expect, test } from "vitest";
import { Shape } from "../../../../src/extras/recordings/verify/compare.ts";
import { tries } from "../../../support/tries.ts";
import { compare, jsonAnswer } from "./answers.ts";

const json = fc.jsonValue({ maxDepth: 4 });
const no = (): boolean => false;
const options = { numRuns: tries(300) };

test("an answer does not differ from itself, nor from one with other values of its types", () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(compare(jsonAnswer(value), jsonAnswer(structuredClone(value))).drifts).toEqual([]);
      const text = JSON.stringify(value, (_, item: unknown) =>
        typeof item === "number" ? 7 : item,
      );
      expect(compare(jsonAnswer(JSON.parse(text)), jsonAnswer(value)).drifts).toEqual([]);
    }),
    options,
  );
});

test("an answer does not differ from what is known of both", () => {
  fc.assert(
    fc.property(json, json, (left, right) => {
      const known = new Map([["body", new Shape().add(left, no).add(right, no)]]);
      expect(compare(jsonAnswer(left), jsonAnswer(right), { known }).drifts).toEqual([]);
    }),
    options,
  );
});

test("a key that is gone is the one difference", () => {
  const object = fc.dictionary(fc.stringMatching(/^[a-z_]{1,12}$/), json, { minKeys: 1 });
  fc.assert(
    fc.property(object, fc.nat(), (value, which) => {
      const names = Object.keys(value);
      const gone = names[which % names.length] ?? "";
      const { [gone]: _gone, ...left } = value;
      const { drifts } = compare(jsonAnswer({ below: left }), jsonAnswer({ below: value }));
      expect(drifts.map(({ place }) => place)).toEqual([`body.below.${gone}`]);
    }),
    options,
  );
});
