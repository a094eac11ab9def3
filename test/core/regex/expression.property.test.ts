import * as fc from "fast-check";
import { expect, test } from "vitest";
import { linearExpression } from "../../../src/core/regex/linear.ts";
import { limitTime } from "../../../src/fronts/node/time-limit.ts";

// The runtime's own engine is the judge. Where it tries for too long it judges nothing.

const characters = [
  "a",
  "b",
  "A",
  "k",
  "\u212a",
  "ſ",
  "s",
  "1",
  "_",
  " ",
  "\u00a0",
  "\n",
  "\r",
  "\u2028",
  "é",
  "ß",
  "😀",
  "\ud83d",
  "-",
  "\ufeff",
];
const text = fc.array(fc.constantFrom(...characters), { maxLength: 12 }).map((all) => all.join(""));

const atom = fc.constantFrom(
  "a",
  "b",
  "k",
  "s",
  "1",
  " ",
  "é",
  "😀",
  ".",
  "[ab]",
  "[^ab]",
  "[a-k]",
  "[^\\s]",
  "[\\w-]",
  "[^]",
  "[]",
  "[\\]a]",
  "[A-Z\\d]",
  "\\d",
  "\\D",
  "\\w",
  "\\W",
  "\\s",
  "\\S",
  "\\n",
  "\\.",
  "\\x61",
  "\\u0061",
  "\\cJ",
  "\\b",
  "\\B",
  "^",
  "$",
);
const quantifier = fc.constantFrom(
  "",
  "",
  "",
  "*",
  "+",
  "?",
  "{2}",
  "{1,3}",
  "{0,}",
  "*?",
  "+?",
  "??",
  "{1,2}?",
);

function isAssertion(written: string): boolean {
  return /^(?:\\[bB]|[$^])$/.test(written);
}

const { source } = fc.letrec<{ source: string; branch: string; piece: string; group: string }>(
  (tie) => ({
    source: fc.array(tie("branch"), { minLength: 1, maxLength: 3 }).map((all) => all.join("|")),
    branch: fc.array(tie("piece"), { maxLength: 4 }).map((all) => all.join("")),
    piece: fc
      .tuple(
        fc.oneof({ depthSize: "small", withCrossShrink: true }, atom, tie("group")),
        quantifier,
      )
      .map(([one, many]) => (isAssertion(one) ? one : one + many)),
    group: fc
      .tuple(fc.constantFrom("(", "(?:"), tie("source"))
      .map(([open, inside]) => `${open}${inside})`),
  }),
);

const flags = fc.subarray(["i", "s", "m", "u"]).map((all) => all.join(""));

test("finds the texts that JavaScript finds, whatever the expression and its flags", () => {
  let count = 0;
  fc.assert(
    fc.property(source, flags, fc.array(text, { maxLength: 8 }), (written, flag, texts) => {
      const expected = new RegExp(written, flag);
      const linear = linearExpression(written, flag);
      if (linear === undefined) return;
      count++;
      for (const one of texts) {
        const found = limitTime(() => expected.test(one));
        if (found !== undefined) expect([one, linear.test(one)]).toEqual([one, found]);
      }
    }),
    { numRuns: 150 },
  );
  expect(count).toBeGreaterThan(70);
});

/** Groups that are repeated have no names and are never empty: there the two engines may tell different groups. */
const plain = fc
  .array(
    fc.oneof(
      fc.tuple(atom, quantifier).map(([one, many]) => (isAssertion(one) ? one : one + many)),
      fc.tuple(source, quantifier).map(([inside, many]) => `(?:a(?:${unnamed(inside)}))${many}`),
    ),
    { maxLength: 4 },
  )
  .map((all) => all.join(""));

function unnamed(written: string): string {
  return written
    .replaceAll("(?:", "(")
    .replaceAll("(", "(?:")
    .replaceAll(/\)[*+?{][^)|]*/g, ")");
}

test("finds what JavaScript finds, at the same place and with the same groups", () => {
  fc.assert(
    fc.property(
      plain,
      plain,
      flags,
      fc.array(text, { maxLength: 8 }),
      (first, rest, flag, texts) => {
        const written = `(?<first>${first})|(?<rest>${rest})`;
        const linear = linearExpression(written, flag);
        if (linear === undefined) return;
        for (const one of texts) {
          const match = limitTime(() => new RegExp(written, flag).exec(one));
          if (match === undefined) continue;
          const seen =
            match === null
              ? null
              : { 0: match[0], index: match.index, groups: { ...match.groups } };
          expect([one, linear.exec(one, 0)]).toEqual([one, seen]);
        }
      },
    ),
    { numRuns: 150 },
  );
});
