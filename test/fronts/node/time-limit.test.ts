import { expect, test } from "vitest";
import { limitTime } from "../../../src/fronts/node/time-limit.ts";

test("ends an expression that would try for ever, and gives what others come to", () => {
  const endless = `${"a".repeat(60)}!`;
  expect(limitTime(() => /^(?=a)(a+)+$/.test("aaa"))).toBe(true);
  expect(() =>
    limitTime(() => {
      throw new TypeError("its own");
    }),
  ).toThrow("its own");
  // Last: what comes soon after it gets a few milliseconds only.
  expect(limitTime(() => /^(?=a)(a+)+$/.test(endless))).toBeUndefined();
});
