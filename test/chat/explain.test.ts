import { expect, test } from "vitest";
import { describeMisses, nameClosest } from "../../src/chat/matching/explain.ts";
import { explainMisses } from "../../src/chat/matching/match-script.ts";
import { ScriptBook } from "../../src/chat/scripts/script-book.ts";
import type { When } from "../../src/chat/scripts/script.ts";
import { type Sent, subjectOf } from "./naive-matching.ts";
import { script } from "./support.ts";

const asked: Sent = {
  model: "atlas-large",
  messages: [{ role: "user", content: "What is the weather in Oslo?" }],
  stream: false,
  tools: ["get_wether"],
  fields: { temperature: "0", seed: 5 },
  headers: { "x-tenant": "Acme" },
};

function explained(whens: readonly When[], sent: Partial<Sent> = {}): string {
  const scripts = whens.map((when, index) => script(`s${index}`, { content: "" }, when));
  return describeMisses(explainMisses(ScriptBook.of(scripts), subjectOf({ ...asked, ...sent })));
}

test.each<[When, string]>([
  [{ user: "Weather" }, "it differs only in upper and lower case"],
  [{ user: { equals: "What is the  weather in Oslo? " } }, "it differs only in white space"],
  [{ user: "the\nWeather" }, "it differs only in upper and lower case and in white space"],
  [{ user: { equals: "weather in Oslo" } }, "it has that text in it, and more"],
  [{ user: { regex: "^what" } }, "it differs only in upper and lower case"],
  [{ user: { anyOf: ["snow", "WEATHER"] } }, "it differs only in upper and lower case"],
  [
    { user: { equals: "What is the weather in Bergen?" } },
    'they are alike for 23 characters, then "Bergen?" is wanted and "Oslo?" is there',
  ],
  [
    { user: "the weather in Oslo tomorrow" },
    'they are alike for 19 characters, then " tomorrow" is wanted and "?" is there',
  ],
  [{ model: "atlas-lage" }, '"atlas-large" is a similar name'],
  [{ model: "Atlas-*" }, 'it begins with "atlas-", which is similar to "Atlas-"'],
  [{ tool: "get_weather" }, '"get_wether" is a similar name'],
  [{ header: { "x-tenant": "acme" } }, "it differs only in upper and lower case"],
  [{ header: { "x-tenat": "Acme" } }, '"x-tenant" is a similar name'],
  [{ request: { temperature: 0 } }, "it is a text"],
  [{ request: { seed: "5" } }, "it is no text"],
  [{ request: { temprature: 0 } }, '"temperature" is a similar name'],
])("says how near the request comes to %j", (when, near) => {
  expect(explained([when])).toMatch(/^The closest is "s0": .*, but it is /);
  expect(explained([when])).toContain(` (${near}).`);
});

test.each<When>([
  { user: "snow" },
  { model: "gpt-*" },
  { tool: "refund" },
  { request: { seed: 6 } },
  { stream: true },
])("says nothing of nearness where there is none: %j", (when) => {
  expect(explained([when])).not.toContain("(");
});

test("names three scripts, a line for each, the one that came closest first", () => {
  const whens: When[] = [
    { user: "snow", model: "gpt" },
    { user: "snow" },
    { user: "WEATHER", tool: "get_weather" },
    { user: "snow", model: "atlas-*" },
  ];
  const lines = explained(whens).split("\n");
  expect(lines.map((line) => /^(?:The closest is|Then) "(\w+)":/.exec(line)?.[1])).toEqual([
    "s2",
    "s3",
    "s1",
  ]);
});

test("says once that the last message is no result of a tool", () => {
  expect(explained([{ toolResult: { name: "f", content: "x" } }])).toBe(
    'The closest is "s0": toolResult has to be the result of a tool as the last message, ' +
      'but it is a message of role "user".',
  );
});

test("shows the beginning of long texts only", () => {
  const long = "rain ".repeat(10_000);
  const sent = { messages: [{ role: "user", content: long.toUpperCase() }] };
  expect(explained([{ user: { equals: long } }], sent).length).toBeLessThan(400);
});

test("keeps a message on its line whatever scripts and requests have in them", () => {
  const sent = { messages: [{ role: "user", content: "a\nb\u2028c\ud800" }] };
  expect(explained([{ user: "\n\n" }, { header: { "x-a": "\n" } }], sent).split("\n")).toHaveLength(
    2,
  );
});

test("names the closest scripts for a log", () => {
  const misses = ["a", "b", "c", "d"].map((name) => ({ script: name, failures: [], held: 0 }));
  expect(nameClosest(misses)).toBe('"a", "b", "c"');
  expect(nameClosest([])).toBeUndefined();
});
