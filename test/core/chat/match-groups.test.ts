import { expect, test } from "vitest";
import type { When } from "../../../src/core/chat/scripts/script.ts";
import { bodyOf, chatBody, chatContext, post, script } from "./support.ts";

const called = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "c1", type: "function", function: { name: "get_weather", arguments: "{}" } }],
};

/** A conversation in which every matcher has a text of its own to look at. */
const messages = [
  { role: "system", content: "tone=kind city=System" },
  { role: "user", content: "day=today city=User" },
  called,
  { role: "tool", tool_call_id: "c1", content: "sky=rain city=Tool" },
];

/** What a template makes of the match of a script with this `when`. */
async function rendered(when: When, content: string, body: object = { messages }): Promise<string> {
  const context = chatContext({ scripts: [script("it", { content }, when)], unmatched: "error" });
  const reply = bodyOf(await post(context, chatBody(body), { "x-tenant": "acme" }));
  return reply.error?.message ?? reply.choices[0].message.content;
}

const word = (name: string): { readonly regex: string } => ({ regex: `${name}=(?<${name}>\\w+)` });

test.each<[string, When, string, string]>([
  ["user", { user: word("day") }, "day", "today"],
  ["system", { system: word("tone") }, "tone", "kind"],
  ["anyMessage", { anyMessage: word("sky") }, "sky", "rain"],
  ["toolResult.content", { toolResult: { content: word("sky") } }, "sky", "rain"],
  ["toolResult.id", { toolResult: { id: { regex: "(?<letter>[a-z])1" } } }, "letter", "c"],
  ["assistant", { assistant: { regex: "^(?<all>.*)$" } }, "all", ""],
  ["header", { header: { "x-tenant": { regex: "(?<tenant>.*)" } } }, "tenant", "acme"],
  ["request", { request: { "messages.1.content": word("city") } }, "city", "User"],
  [
    "request, in an alternative",
    { request: { "messages.1.content": { anyOf: ["none", word("city")], not: word("sky") } } },
    "city",
    "User",
  ],
])("gives templates the named groups of %s", async (_, when, name, expected) => {
  expect(await rendered(when, `{{ match.${name} }}`)).toBe(expected);
});

test("gives templates the named groups of all matchers together", async () => {
  const when: When = {
    user: word("day"),
    system: word("tone"),
    toolResult: { name: "get_weather", content: word("sky") },
  };
  expect(await rendered(when, "{{ match.day }} {{ match.tone }} {{ match.sky }}")).toBe(
    "today kind rain",
  );
});

const city = word("city");

test.each<[string, When, string]>([
  [
    "user before all others",
    {
      anyMessage: city,
      system: city,
      toolResult: { content: city },
      request: { "messages.0.content": city },
      user: city,
    },
    "User",
  ],
  [
    "toolResult before system",
    { anyMessage: city, system: city, toolResult: { content: city } },
    "Tool",
  ],
  [
    "system before anyMessage",
    { anyMessage: { regex: "city=(?<city>T\\w+)" }, system: city },
    "System",
  ],
])("takes a group that several have from %s", async (_, when, expected) => {
  expect(await rendered(when, "{{ match.city }}")).toBe(expected);
});

test("takes a value from a later matcher when the group took no part in an earlier one", async () => {
  const when: When = { user: { regex: "day=\\w+(?<city>nowhere)?" }, system: city };
  expect(await rendered(when, "{{ match.city }}")).toBe("System");
});

test("collects the groups of every alternative that holds", async () => {
  const when: When = { user: { anyOf: [word("day"), "nothing", { anyOf: [city] }] } };
  expect(await rendered(when, "{{ match.day }} {{ match.city }}")).toBe("today User");
});

test("renders the groups of an alternative that does not hold as nothing", async () => {
  const absent = { regex: "^(?<hour>\\d+):(?<minute>\\d+)$", flags: "g" };
  const when: When = { user: { anyOf: [absent, word("day")] } };
  expect(await rendered(when, "[{{ match.hour }}|{{ match.minute }}|{{ match.day }}]")).toBe(
    "[||today]",
  );
});

test("takes all groups of one expression from the same message", async () => {
  const body = {
    messages: [
      { role: "user", content: "order 5" },
      { role: "user", content: "order 6 for Bob" },
    ],
  };
  const when: When = { anyMessage: { regex: "order (?<id>\\d)( for (?<name>\\w+))?" } };
  expect(await rendered(when, "{{ match.id }}[{{ match.name }}]", body)).toBe("5[]");
});

test("knows a group of any name", async () => {
  const when: When = { user: { regex: "day=(?<__proto__>\\w+) city=(?<constructor>\\w+)" } };
  expect(await rendered(when, "{{ match.__proto__ }} {{ match.constructor }}")).toBe("today User");
});
