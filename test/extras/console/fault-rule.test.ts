import { expect, test } from "vitest";
import {
  effectText,
  faultRule,
  firstFault,
  faultTarget,
} from "../../../src/extras/console/faults/fault-rule.ts";

test.each([
  [{}, { times: 1, status: 503 }],
  [
    { times: "", effect: "hang", table: "users" },
    { table: "users", fault: "hang" },
  ],
  [
    { times: "2", effect: "delay" },
    { times: 2, delayMs: 1000 },
  ],
  [
    { times: "", effect: "delay", delay: "range", first: "10", second: "20" },
    { delayMs: { min: 10, max: 20 } },
  ],
  [
    { times: "", effect: "delay", delay: "normal", first: "10", second: "0.5" },
    { delayMs: { median: 10, sigma: 0.5 } },
  ],
  [
    { interface: "chat", status: "429", retryAfterMs: "500", message: "Busy.", probability: "0.5" },
    {
      interface: "chat",
      times: 1,
      probability: 0.5,
      status: 429,
      message: "Busy.",
      retryAfterMs: 500,
    },
  ],
  [{ times: "often" }, { times: "often", status: 503 }],
] as const)("makes of %j the rule %j", (draft, rule) => {
  expect(faultRule({ ...firstFault, ...draft })).toEqual(rule);
});

test("tells a fault in words", () => {
  const rule = {
    interface: "rest",
    method: "GET",
    table: "users",
    delayMs: { min: 1, max: 2 },
    status: 500,
  } as const;
  expect(faultTarget(rule)).toBe("tables · GET · table users");
  expect(effectText(rule)).toBe("waits 1–2 ms, then answers 500");
});
