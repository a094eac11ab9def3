import { expect, test } from "vitest";
import { covers, unreachableScripts } from "../../../src/core/chat/scripts/script-warnings.ts";
import type { Script, When } from "../../../src/core/chat/scripts/script.ts";
import { script } from "./support.ts";

const result = (name?: string, content?: string): When => ({
  toolResult: { ...(name !== undefined && { name }), ...(content !== undefined && { content }) },
});

test.each<[wide: When, narrow: When]>([
  [{}, {}],
  [{}, { user: "a", turn: 1 }],
  [{ stream: true }, { stream: true, turn: 1 }],
  [{ turn: 0 }, { turn: 0 }],
  [{ tool: "f" }, { tool: "f" }],
  [{ model: "at*" }, { model: "atlas" }],
  [{ model: "at*" }, { model: "atl*" }],
  [{ model: "*" }, {}],
  [result(), result("f", "x")],
  [result("f"), result("f", "x")],
  [result(undefined, "x"), result("f", "xy")],
  [{ user: "a" }, { user: "bab" }],
  [{ user: { contains: "a" } }, { user: { equals: "bab" } }],
  [{ user: "" }, { user: { regex: "a" } }],
  [{ user: { equals: "a" } }, { user: { equals: "a" } }],
  [{ user: { regex: "^a" } }, { user: { equals: "ab" } }],
  [{ user: { regex: "a", flags: "im" } }, { user: { regex: "a", flags: "im" } }],
  [{ user: { regex: "a" } }, { user: { regex: "a" } }],
  [{ user: { contains: "a" } }, { user: { contains: "ab" } }],
  [{ user: { anyOf: ["a", "b"] } }, { user: "xb" }],
  [{ user: "a" }, { user: { anyOf: ["ab", { equals: "ca" }] } }],
  [{ system: "a" }, { system: "ab" }],
  [{ anyMessage: "a" }, { anyMessage: "ab" }],
  [{ anyMessage: "a" }, { user: "ab" }],
  [{ anyMessage: "a" }, { system: "ab" }],
  [{ anyMessage: "a" }, result(undefined, "ab")],
  [{ header: { "X-A": "1" } }, { header: { "x-a": "1", "x-b": "2" } }],
  [{ request: { seed: 1 } }, { request: { seed: 1, n: 2 } }],
  [{ request: { stop: ["a"] } }, { request: { stop: ["a"] } }],
])("knows that %j holds wherever %j does", (wide, narrow) => {
  expect(covers(wide, narrow)).toBe(true);
});

test.each<[wide: When, narrow: When]>([
  [{ stream: true }, {}],
  [{ stream: true }, { stream: false }],
  [{ turn: 0 }, { turn: 1 }],
  [{ tool: "f" }, { tool: "g" }],
  [{ model: "atlas" }, { model: "at*" }],
  [{ model: "atlas" }, {}],
  [result(), {}],
  [result("f"), result()],
  [result("f"), result("g")],
  [result(undefined, "xy"), result("f", "x")],
  [{ user: "ab" }, { user: "a" }],
  [{ user: "a" }, {}],
  [{ user: "a" }, { system: "a" }],
  [{ user: { equals: "a" } }, { user: "a" }],
  [{ user: { regex: "^a" } }, { user: { equals: "ba" } }],
  [{ user: { regex: "a" } }, { user: "a" }],
  [{ user: "a" }, { user: { regex: "a" } }],
  [{ user: { regex: "a", flags: "i" } }, { user: { regex: "a" } }],
  [{ user: { regex: "a", flags: "i" } }, { user: { regex: "a", flags: "m" } }],
  [{ user: { regex: "a" } }, { user: { regex: "a", flags: "i" } }],
  [{ user: { regex: "a", flags: "i" } }, { user: { regex: "a", flags: "im" } }],
  [{ user: { regex: "a", flags: "im" } }, { user: { regex: "a", flags: "is" } }],
  [{ user: { equals: "a" } }, { user: { contains: "a" } }],
  [{ user: { regex: "a" } }, { user: { regex: "b" } }],
  [{ user: { regex: "a" } }, { user: { contains: "a" } }],
  [{ user: { anyOf: ["a", "b"] } }, { user: "c" }],
  [{ user: "a" }, { user: { anyOf: ["ab", "c"] } }],
  [{ system: "a" }, { system: "b" }],
  [{ anyMessage: "a" }, { user: "b", turn: 1 }],
  [{ header: { "x-a": "1" } }, { header: { "x-a": "2" } }],
  [{ header: { "x-a": "1" } }, {}],
  [{ header: { "x-a": "1", "x-b": "1" } }, { header: { "x-a": "1" } }],
  [{ request: { seed: 1 } }, { request: { seed: 2 } }],
  [{ request: { seed: 1 } }, {}],
  [{ request: { seed: 1, n: 2 } }, { request: { seed: 1 } }],
])("does not say that %j holds wherever %j does", (wide, narrow) => {
  expect(covers(wide, narrow)).toBe(false);
});

function named(name: string, when: When | undefined, more: Partial<Script> = {}): Script {
  const { when: _, ...rest } = script(name, { content: "" });
  return { ...rest, ...(when !== undefined && { when }), ...more };
}

test("names each script that an earlier one hides, and the first that does", () => {
  const scripts = [
    named("once", {}, { times: 1 }),
    named("a", { user: "a" }),
    named("ab", { user: "ab" }),
    named("abc", { user: "abc" }),
    named("b", { user: "b" }),
    named("all", undefined),
    named("last", { turn: 1 }),
  ];
  const found = unreachableScripts(scripts).map(
    ({ script: hidden, index, earlier, earlierIndex }) => [
      hidden.name,
      index,
      earlier.name,
      earlierIndex,
    ],
  );
  expect(found).toEqual([
    ["ab", 2, "a", 1],
    ["abc", 3, "a", 1],
    ["last", 6, "all", 5],
  ]);
});
