import { expect, test } from "vitest";
import { describeMisses } from "../../../src/core/chat/matching/explain.ts";
import { ScriptSearch } from "../../../src/core/chat/matching/match-script.ts";
import type { TextMatcher, When } from "../../../src/core/chat/scripts/script.ts";
import { type Sent, subjectOf } from "./naive-matching.ts";
import { script } from "./support.ts";

const asked: Sent = {
  model: "atlas-large",
  messages: [{ role: "user", content: "What is the weather in Oslo?" }],
  stream: false,
  tools: ["get_wether"],
  fields: { temperature: "0", seed: 5, metadata: { "a.b": "1" } },
  headers: { "x-tenant": "Acme" },
};

function explained(whens: readonly When[], sent: Partial<Sent> = {}): string {
  const scripts = whens.map((when, index) => script(`s${index}`, { content: "" }, when));
  const search = new ScriptSearch(scripts);
  const misses = search.missesOf(subjectOf({ ...asked, ...sent }), { most: 3, areClose: false });
  return describeMisses(misses);
}

test.each<[When, string]>([
  [{ user: "Weather" }, "it differs only in upper and lower case"],
  [{ user: { equals: "What is the  weather in Oslo? " } }, "it differs only in white space"],
  [{ user: "the\nWeather" }, "it differs only in upper and lower case and in white space"],
  [{ user: { equals: "weather in Oslo" } }, "it contains that text and more"],
  [{ user: { regex: "^what" } }, "it differs only in upper and lower case"],
  [{ user: { anyOf: ["snow", "WEATHER"] } }, "it differs only in upper and lower case"],
  [
    { user: { equals: "What is the weather in Bergen?" } },
    'the first 23 characters are the same, then "Bergen?" is expected but "Oslo?" is there',
  ],
  [
    { user: "the weather in Oslo tomorrow" },
    'the first 19 characters are the same, then " tomorrow" is expected but "?" is there',
  ],
  [{ model: "atlas-lage" }, '"atlas-large" is a similar name'],
  [{ tool: "get_weather" }, '"get_wether" is a similar name'],
  [{ header: { "x-tenant": "acme" } }, "it differs only in upper and lower case"],
  [{ header: { "x-tenat": "Acme" } }, '"x-tenant" is a similar name'],
  [{ request: { temprature: 0 } }, '"temperature" is a similar name'],
])("says how near the request comes to %j", (when, near) => {
  expect(explained([when])).toMatch(/^The closest is "s0": .*, but it is /);
  expect(explained([when])).toContain(` (${near}).`);
});

test.each<[When, Sent["fields"], string | undefined]>([
  [{ request: { meta: "5" } }, { meta: 6 }, undefined],
  [{ request: { meta: "{}" } }, { meta: {} }, undefined],
  [{ request: { meta: "weather" } }, { meta: "wether" }, '"wether" is a similar name'],
  [{ request: { meta: "weather" } }, { meta: "snow" }, undefined],
  [{ request: { meta: 12_345 } }, { meta: "12346" }, undefined],
  [{ request: { meta: "a" } }, { meta: ["b"] }, undefined],
  [{ request: { meta: 1 } }, { meta: { k: 1 } }, undefined],
  [{ request: { "meta.key": 1 } }, { meta: null }, undefined],
  [{ request: { "meta.key": 1 } }, { meta: "key" }, undefined],
  [{ request: { "meta.key": 1 } }, { meta: ["key"] }, undefined],
  [{ request: { "meta.keys": 1 } }, { meta: { keyz: 1 } }, '"keyz" is a similar name'],
  [{ request: { "meta.a.b": 1 } }, { meta: { "a.c": 1 } }, undefined],
  [{ request: { "metadata.x.y": "1" } }, { metadata: {}, "metadata.x.y": 1 }, undefined],
])("says of %j and the fields %j how near they come", (when, fields, near) => {
  const told = explained([when], { fields: fields ?? {} });
  if (near === undefined) expect(told).not.toContain("(");
  else expect(told).toContain(` (${near}).`);
});

test.each<[When, Partial<Sent>, string | undefined]>([
  [{ model: "at*" }, { model: "ta" }, undefined],
  [{ tool: "ab" }, { tools: ["ac"] }, undefined],
  [{ tool: "ab" }, { tools: ["AB"] }, '"AB" differs only in upper and lower case'],
  [{ tool: "abc" }, { tools: ["ab"] }, undefined],
])("takes %j for near to %j only where names are alike", (when, sent, near) => {
  const told = explained([when], sent);
  if (near === undefined) expect(told).not.toContain("(");
  else expect(told).toContain(` (${near}).`);
});

test.each<[TextMatcher, string]>([
  [{ equals: "" }, "What is it?"],
  [{ equals: " \n" }, "What is it?"],
  [{ equals: "Which town is the largest?" }, "Well: What is the weather in Oslo?"],
  [{ equals: "RAIN".repeat(6_000) }, "rain".repeat(6_000)],
  [{ equals: "RAIN" }, `rain${" ".repeat(20_000)}`],
])("does not take a text for near to what has to be another", (user, content) => {
  expect(explained([{ user }], { messages: [{ role: "user", content }] })).not.toContain("(");
});

test.each<[TextMatcher, string, string]>([
  ["weather in", "And the weather?", 'it has "weather"'],
  [{ equals: "What is the weather in Rome?" }, "The weather is what?", '"what" and "the" and'],
  [{ regex: "(?:cheapest|dearest) (?<what>tea)", flags: "i" }, "The cheapst?", 'it has "cheapst"'],
  [{ anyOf: ["snow", { regex: "order \\d+" }] }, "My order", 'it has "order"'],
])("takes a text for near that has half of the words of %j: %j", (user, content, near) => {
  const said = explained([{ user }], { messages: [{ role: "user", content }] });
  expect(said).toContain(near);
});

test("says that the tool whose result it is has a similar name", () => {
  const messages = [
    { role: "assistant", content: "", tool_calls: [{ id: "1", name: "get_wether" }] },
    { role: "tool", tool_call_id: "1", content: "rain" },
  ];
  const when: When = { toolResult: { name: "get_weather" } };
  expect(explained([when], { messages })).toContain('("get_wether" is a similar name).');
});

test("says that a text ends where more is wanted", () => {
  const when: When = { user: { equals: "What is the weather in Oslo? Or Rome?" } };
  expect(explained([when])).toContain('then " Or Rome?" is expected but its end is there');
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

test.each<[string, TextMatcher]>([
  ["cafe\u0301 noir", "caf\u00e9"],
  ["caf\u00e9", { equals: "cafe\u0301" }],
])("says that %j and %j differ in Unicode form", (content, user) => {
  expect(explained([{ user }], { messages: [{ role: "user", content }] })).toContain(
    "(it differs only in Unicode form: letters and their accents in one, or apart).",
  );
});

test("takes names of one letter for similar only when their case differs", () => {
  expect(explained([{ tool: "f" }], { tools: ["g"] })).not.toContain("similar");
  expect(explained([{ tool: "f" }], { tools: ["F"] })).toContain("differs only in upper and lower");
});

test("looks at the first scripts only where a request is very long beside many", () => {
  const messages = [{ role: "user", content: `${"words ".repeat(20_000)}Needle` }];
  const others = Array.from({ length: 400 }, (): When => ({ user: "no", turn: 5 }));
  const closest = /^The closest is "(s\d+)"/;
  const told = explained([...others, { user: "Needle", turn: 1 }], { messages });
  expect(closest.exec(told)?.[1]).toBe("s0");
  const early = explained([{ user: "no", turn: 5 }, { user: "Needle", turn: 1 }, ...others], {
    messages,
  });
  expect(closest.exec(early)?.[1]).toBe("s1");
});

test("shows some of many system messages", () => {
  const messages = ["a", "b", "c", "d", "e"].map((content) => ({ role: "system", content }));
  expect(explained([{ system: "x" }], { messages })).toContain(
    'it is "a" and "b" and "c" and 2 more',
  );
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
    'The closest is "s0": toolResult must be the result of a tool as the last message, ' +
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
  expect(
    explained([{ user: "\n\n" }, { header: { "x-a": "a\nb" } }], sent).split("\n"),
  ).toHaveLength(2);
});
