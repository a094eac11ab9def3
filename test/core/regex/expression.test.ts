import { expect, test } from "vitest";
import {
  Expression,
  loadEngine,
  setTimeLimit,
  timesGivenUp,
  whyNotLinear,
  withEngine,
} from "../../../src/core/regex/expression.ts";

const letters = `${"a".repeat(5_000)}!`;

/** Expressions with which V8 would try ways beside these letters until the end of the world. */
test.each([
  "^(a+)+$",
  "^(a|aa)+$",
  "^(a*)*$",
  "^(?:a?){30}a{30}b",
  "a*a*a*a*a*b",
  "(?<name>a+)+b",
  "^([a-z]+\\s?)+$",
])("tells at once that %s does not match", async (source) => {
  const expression = new Expression(source, "i");
  expect(await withEngine(() => expression.test(letters))).toBe(false);
  expect(await withEngine(() => expression.exec(letters))).toBeNull();
});

test("tells where a long text matches, also between halves of characters", async () => {
  await loadEngine();
  const expression = new Expression("(?<pair>\\ude00.+)(?<end>b+)+$", "");
  const text = `${"😀".repeat(600)}xbb`;
  const match = expression.exec(text, 1_100);
  expect(match).toEqual(
    new RegExp("(?<pair>\\ude00.+)(?<end>b+)+$").exec(text.slice(1_100)) && {
      0: text.slice(1_101),
      index: 1_101,
      groups: { pair: text.slice(1_101, -1), end: "b" },
    },
  );
});

test("ends what neither engine does in time, where the runtime can, as no match", async () => {
  await loadEngine();
  let limits = 0;
  const warnings: string[] = [];
  const before = timesGivenUp();
  const warned = (message: string): void => void warnings.push(message);
  setTimeLimit(() => {
    limits++;
    return undefined;
  }, warned);
  expect(new Expression("^(?=a)(a+)+$", "").test("aaa")).toBe(false);
  expect(new Expression("^(?=a)aaa$", "").test("aaa")).toBe(true);
  setTimeLimit((work) => work(), warned);
  expect(new Expression("^(?=a)(a+)+$", "").test("aaa")).toBe(true);
  expect(limits).toBe(1);
  expect(timesGivenUp()).toBe(before + 1);
  expect(warnings).toEqual([
    expect.stringMatching(/^The regular expression \/\^\(\?=a\)\(a\+\)\+\$\/ took too long/),
  ]);
});

test.each([
  ["(?=.*a)(b+)+", "(?="],
  ["(?<!a)b+c*", "(?<!"],
  ["(a+)\\1+", "\\1"],
  ["(?<x>a+)\\k<x>+", "\\k<x>"],
  ["(?=a)b", undefined],
  ["(a+)+$", undefined],
  ["[(?=](a+)+", undefined],
])("says of %s what keeps it from the linear engine: %s", (source, found) => {
  expect(whyNotLinear(source)).toBe(found);
});
