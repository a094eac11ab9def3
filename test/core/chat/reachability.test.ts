import { expect, test } from "vitest";
import { covers, unreachableScripts } from "../../../src/core/chat/scripts/script-warnings.ts";
import type { Script, ValueMatcher, When } from "../../../src/core/chat/scripts/script.ts";
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
  [{ step: 1 }, { step: 1, turn: 1 }],
  [{ step: 0 }, { turn: 0 }],
  [{ part: "image" }, { part: "image_url" }],
  [{ part: "image" }, { part: "image" }],
  [{ assistant: "a" }, { assistant: "ab" }],
  [{ anyMessage: "a" }, { assistant: "ab" }],
  [result("f"), { toolResult: { name: "f", id: "c1" } }],
  [{ toolResult: { id: { contains: "c" } } }, { toolResult: { id: "c1" } }],
  [{ header: { "X-A": { contains: "1" } } }, { header: { "x-a": "21" } }],
  ...(
    [
      [{ exists: true }, 1],
      [{ exists: true }, { gt: 5 }],
      [{ exists: true }, { anyOf: ["a", { contains: "b" }] }],
      [{ not: 5 }, 6],
      [{ not: 5 }, { exists: false }],
      [{ not: 5 }, { gt: 5 }],
      [{ not: 5 }, { contains: "a" }],
      [{ not: 5 }, { not: { anyOf: [5, 6] } }],
      [{ not: { gt: 6 } }, { not: { gt: 5 } }],
      [{ gt: 5 }, { gt: 5 }],
      [{ gt: 5 }, { gt: 6, lt: 8 }],
      [{ gte: 5 }, { gt: 5 }],
      [{ gte: 5 }, 5],
      [{ lt: 5 }, { lte: 4 }],
      [{ lte: 5 }, { lt: 5 }],
      [{ contains: "a" }, "bab"],
      [{ contains: "a" }, ["bab"]],
      [{ contains: "a" }, { contains: "bab" }],
      [
        { regex: "a", flags: "i" },
        { regex: "a", flags: "i", contains: "b" },
      ],
      [{ regex: "a", flags: "i" }, "A"],
      [{ anyOf: [1, 2] }, { anyOf: [2, 1] }],
      [{ anyOf: [{ gt: 5 }, "a"] }, { gt: 7 }],
      [{ gt: 1 }, { anyOf: [{ gt: 2 }, 3] }],
      [{ equals: { a: 1 } }, { equals: { a: 1 } }],
    ] satisfies [ValueMatcher, ValueMatcher][]
  ).map(([wide, narrow]): [When, When] => [
    { request: { a: wide } },
    { request: { a: narrow, b: 1 } },
  ]),
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
  [{ step: 1 }, { turn: 1 }],
  [{ step: 1 }, {}],
  [{ turn: 0 }, { step: 0 }],
  [{ part: "image_url" }, { part: "image" }],
  [{ part: "image" }, {}],
  [{ assistant: "ab" }, { assistant: "a" }],
  [{ assistant: "a" }, { anyMessage: "a" }],
  [{ assistant: "a" }, { user: "a" }],
  [{ toolResult: { id: "c1" } }, result("f")],
  [{ toolResult: { id: "c1" } }, { toolResult: { id: { contains: "c1" } } }],
  ...(
    [
      [{ exists: true }, { exists: false }],
      [{ exists: true }, { not: 5 }],
      [{ exists: true }, { anyOf: [1, { exists: false }] }],
      [{ exists: false }, { not: 5 }],
      [{ not: 5 }, { gte: 5 }],
      [{ not: 5 }, { not: 6 }],
      [{ not: 5 }, { exists: true }],
      [{ not: { gt: 5 } }, { not: { gt: 6 } }],
      [{ gt: 5 }, { gte: 5 }],
      [{ gt: 5 }, { lt: 9 }],
      [{ gt: 5 }, "6"],
      [{ lt: 5 }, { lte: 5 }],
      [{ contains: "ab" }, { contains: "a" }],
      [{ contains: 1 }, 1],
      [{ regex: "a" }, { regex: "a", flags: "i" }],
      [{ regex: "a" }, { contains: "a" }],
      [{ anyOf: [1, 2] }, { anyOf: [1, 3] }],
      [{ gt: 1 }, { anyOf: [{ gt: 2 }, 0] }],
      [5, { exists: true }],
    ] satisfies [ValueMatcher, ValueMatcher][]
  ).map(([wide, narrow]): [When, When] => [{ request: { a: wide } }, { request: { a: narrow } }]),
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
    named("first two", {}, { count: "step", after: "end" }),
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
    ["ab", 3, "a", 2],
    ["abc", 4, "a", 2],
    ["last", 7, "all", 6],
  ]);
});
