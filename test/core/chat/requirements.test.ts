import { expect, test } from "vitest";
import { compileCriteria, viewOf } from "../../../src/core/chat/matching/criteria.ts";
import { scriptIndex } from "../../../src/core/chat/matching/match-script.ts";
import type { When } from "../../../src/core/chat/scripts/script.ts";
import { type Sent, subjectOf } from "./naive-matching.ts";
import { script } from "./support.ts";

const sent: Sent = {
  model: "atlas",
  messages: [
    { role: "system", content: "be kind" },
    { role: "user", content: "Weather in Oslo?" },
  ],
  stream: true,
  tools: ["get_weather"],
  fields: { temperature: 0, seed: 5 },
  headers: { "x-tenant": "Acme" },
};

test.each<[When, readonly unknown[]]>([
  [{}, []],
  [{ model: "atlas" }, [["value", "model", ["atlas"], ["atlas"]]]],
  [{ model: "atl*" }, []],
  [{ model: "atla?" }, []],
  [{ stream: false }, [["value", "stream", [false], [true]]]],
  [{ turn: 2 }, [["value", "turn", [2], [0]]]],
  [{ tool: "f" }, [["value", "tool", ["f"], ["get_weather"]]]],
  [
    { toolResult: { name: "f", content: "rainy" } },
    [
      ["value", "toolResult", [true], [false]],
      ["value", "toolResult.name", ["f"], [undefined]],
      ["literal", "toolResult.content", ["rainy"], []],
    ],
  ],
  [{ header: { "X-Tenant": "acme" } }, [["value", "header.x-tenant", ["acme"], ["Acme"]]]],
  [
    { request: { seed: 6, stop: ["a"], temperature: null } },
    [
      ["value", "request.seed", [6], [5]],
      ["value", "request.temperature", [null], [0]],
    ],
  ],
  [{ user: "rain" }, [["literal", "user", ["rain"], ["Weather in Oslo?"]]]],
  [{ user: { contains: "rain" } }, [["literal", "user", ["rain"], ["Weather in Oslo?"]]]],
  [{ user: "abc" }, [["literal", "user", ["abc"], ["Weather in Oslo?"]]]],
  [{ user: "ra" }, []],
  [{ user: { equals: "ra" } }, [["value", "user=", ["ra"], ["Weather in Oslo?"]]]],
  [
    { user: { anyOf: [{ equals: "a" }, { anyOf: [{ equals: "b" }] }] } },
    [["value", "user=", ["a", "b"], ["Weather in Oslo?"]]],
  ],
  [
    { user: { anyOf: [{ equals: "rain" }, { contains: "snow" }, { regex: "hail|sleet" }, "fog"] } },
    [["literal", "user", ["rain", "snow", "hail", "sleet", "fog"], ["Weather in Oslo?"]]],
  ],
  [{ user: { anyOf: ["rain", "x"] } }, []],
  [{ user: { anyOf: [{ equals: "a" }, "rain"] } }, []],
  [{ user: { regex: "rain.*fall" } }, [["literal", "user", ["rain"], ["Weather in Oslo?"]]]],
  [{ user: { regex: "rain|x" } }, []],
  [{ user: { regex: ".*" } }, []],
  [{ user: { regex: "weather", flags: "iu" } }, []],
  [{ system: "kind" }, [["literal", "system", ["kind"], ["be kind"]]]],
  [{ anyMessage: "kind" }, [["literal", "anyMessage", ["kind"], ["be kind", "Weather in Oslo?"]]]],
])("knows what %j asks of a request, and where to look", (when, expected) => {
  const view = viewOf(subjectOf(sent));
  const asked = compileCriteria(when).flatMap(({ requires }) => {
    const requirement = requires?.();
    if (requirement === undefined) return [];
    const { kind, field, values, read } = requirement;
    return [[kind, field, values, read(view)]];
  });
  expect(asked).toEqual(expected);
});

/** The places of the scripts that an index finds. */
function found(whens: readonly (When | undefined)[]): readonly number[] {
  const scripts = whens.map((when, at) => {
    const made = script(`s${at}`, { content: "" }, when);
    return when === undefined ? { name: made.name, replies: made.replies } : made;
  });
  return scriptIndex(scripts)(viewOf(subjectOf(sent))).map((one) => scripts.indexOf(one));
}

const mixed: readonly (When | undefined)[] = [
  { user: "snow" },
  { user: "weather" },
  { turn: 1 },
  { model: "atlas" },
  undefined,
  { user: { anyOf: ["weather", "oslo"] } },
  { header: { "x-tenant": "acme" } },
  { request: { seed: 5 } },
  { tool: "get_weather", user: "snow" },
  { system: "kind" },
  { user: { equals: "Weather in Oslo?" } },
  { stream: true },
  { turn: 0 },
  { anyMessage: "in oslo" },
  { model: "at*", turn: 3 },
  { header: { "x-tenant": "Acme" } },
];

test("finds in order, and once, the scripts that may match", () => {
  expect(found(mixed)).toEqual([1, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 15]);
});

test("finds the same of few kinds as of many", () => {
  expect(found(mixed.slice(0, 5))).toEqual([1, 3, 4]);
  expect(found([{ user: "weather" }, { user: "rain" }, { user: "oslo" }])).toEqual([0, 2]);
  expect(found([{ user: "rain" }])).toEqual([]);
  expect(found([])).toEqual([]);
});

test("files a script under what fewest others ask for", () => {
  const many = Array.from({ length: 20 }, (_, at): When => ({ stream: true, user: `word${at}` }));
  expect(found([...many, { stream: true, user: "weather" }])).toEqual([20]);
  const sameUser = Array.from({ length: 20 }, (_, at): When => ({ user: "weather", turn: at }));
  expect(found(sameUser)).toEqual([0]);
});
