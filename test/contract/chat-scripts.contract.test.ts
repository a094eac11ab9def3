import { expect } from "vitest";
import type { When } from "../../src/index.ts";
import { contract } from "../support/contract.ts";
import { asking, completions, contractModels } from "../support/contract-chats.ts";
import { ask, type Asking } from "../support/requests.ts";

const models = contractModels;

interface Matching {
  readonly what: string;
  readonly when: When;
  readonly matches: Asking;
  readonly misses: Asking;
}

function user(text: string, fields: object = {}): Asking {
  return { json: asking(text, fields) };
}

function talk(...messages: readonly object[]): Asking {
  return { json: { model: "atlas", messages } };
}

const call = { id: "call_1", type: "function", function: { name: "get_weather", arguments: "{}" } };
const called = { role: "assistant", content: null, tool_calls: [call] };
const offering = { tools: [{ type: "function", function: { name: "get_weather" } }] };

const matchings: readonly Matching[] = [
  {
    what: "a model by a glob",
    when: { model: "atlas-*" },
    matches: user("x", { model: "atlas-large" }),
    misses: user("x"),
  },
  {
    what: "a user message that contains a text",
    when: { user: "weather" },
    matches: user("the weather?"),
    misses: user("the Weather?"),
  },
  {
    what: "a user message that equals a text",
    when: { user: { equals: "hi" } },
    matches: user("hi"),
    misses: user("hi!"),
  },
  {
    what: "a user message by contains",
    when: { user: { contains: "ea" } },
    matches: user("weather"),
    misses: user("rain"),
  },
  {
    what: "a user message by a regular expression",
    when: { user: { regex: "^rain in \\w+$", flags: "i" } },
    matches: user("Rain in Oslo"),
    misses: user("no rain in Oslo"),
  },
  {
    what: "a user message by any of several",
    when: { user: { anyOf: [{ equals: "hi" }, "hello"] } },
    matches: user("oh hello"),
    misses: user("hi there"),
  },
  {
    what: "the last user message, not one before",
    when: { user: "second" },
    matches: talk({ role: "user", content: "first" }, { role: "user", content: "second" }),
    misses: talk({ role: "user", content: "second" }, { role: "user", content: "first" }),
  },
  {
    what: "a user message in parts",
    when: { user: { equals: "one two" } },
    matches: talk({
      role: "user",
      content: [
        { type: "text", text: "one " },
        { type: "image_url", image_url: { url: "x" } },
        { type: "text", text: "two" },
      ],
    }),
    misses: talk({ role: "user", content: [{ type: "text", text: "one" }] }),
  },
  {
    what: "a system message",
    when: { system: { contains: "helpful" } },
    matches: talk({ role: "system", content: "Be helpful." }, { role: "user", content: "x" }),
    misses: talk({ role: "user", content: "helpful" }),
  },
  {
    what: "a developer message as a system message",
    when: { system: "brief" },
    matches: talk({ role: "developer", content: "Be brief." }, { role: "user", content: "x" }),
    misses: talk({ role: "user", content: "brief" }),
  },
  {
    what: "any message",
    when: { anyMessage: "needle" },
    matches: talk({ role: "assistant", content: "a needle" }, { role: "user", content: "x" }),
    misses: user("hay"),
  },
  {
    what: "the turn",
    when: { turn: 1 },
    matches: talk(
      { role: "user", content: "a" },
      { role: "assistant", content: "b" },
      { role: "user", content: "c" },
    ),
    misses: user("a"),
  },
  {
    what: "the first turn",
    when: { turn: 0 },
    matches: user("a"),
    misses: talk({ role: "assistant", content: "b" }, { role: "user", content: "c" }),
  },
  {
    what: "a tool on offer",
    when: { tool: "get_weather" },
    matches: user("x", offering),
    misses: user("x"),
  },
  {
    what: "a tool's result",
    when: { toolResult: { name: "get_weather", content: { contains: "rain" } } },
    matches: talk({ role: "user", content: "x" }, called, {
      role: "tool",
      tool_call_id: "call_1",
      content: "rain",
    }),
    misses: talk({ role: "user", content: "x" }, called, {
      role: "tool",
      tool_call_id: "call_1",
      content: "sun",
    }),
  },
  {
    what: "a tool's result as the last message only",
    when: { toolResult: { name: "get_weather" } },
    matches: talk({ role: "user", content: "x" }, called, {
      role: "tool",
      tool_call_id: "call_1",
      content: "sun",
    }),
    misses: talk(
      { role: "user", content: "x" },
      called,
      { role: "tool", tool_call_id: "call_1", content: "sun" },
      { role: "user", content: "x" },
    ),
  },
  {
    what: "streaming",
    when: { stream: true },
    matches: user("x", { stream: 1 }),
    misses: user("x", { stream: 0 }),
  },
  {
    what: "no streaming",
    when: { stream: false },
    matches: user("x"),
    misses: user("x", { stream: true }),
  },
  {
    what: "a header, its name in any case",
    when: { header: { "X-Tenant": "acme" } },
    matches: { ...user("x"), headers: { "x-tenant": "acme" } },
    misses: { ...user("x"), headers: { "x-tenant": "Acme" } },
  },
  {
    what: "a field of the request",
    when: { request: { temperature: 0 } },
    matches: user("x", { temperature: 0 }),
    misses: user("x", { temperature: 1 }),
  },
  {
    what: "a field by its path, equal as JSON",
    when: {
      request: { "response_format.type": "json_object", "messages.0.role": "user", stop: ["#"] },
    },
    matches: user("x", { response_format: { type: "json_object" }, stop: ["#"] }),
    misses: user("x", { response_format: { type: "json_object" }, stop: "#" }),
  },
  {
    what: "all of several criteria",
    when: { user: "hi", turn: 0 },
    matches: user("hi"),
    misses: talk({ role: "assistant", content: "b" }, { role: "user", content: "hi" }),
  },
];

for (const { what, when, matches, misses } of matchings) {
  contract(`matches ${what}`, async (transport) => {
    const chats = [{ name: "it", when, reply: { content: { matched: true } } }];
    await using service = await transport.open({ models, chats }, { strict: true });
    const hit = await ask(service, completions, matches);
    const miss = await ask(service, completions, misses);
    expect(hit.text).toContain("matched");
    expect(miss.status).toBe(404);
    expect(miss.body).toMatchObject({ error: { code: "no_script_matched" } });
    expect((await service.log.settled(2)).answeredBy).toMatch(/^no script/);
  });
}

/** The contents of so many answers in turn; null where there is an error. */
async function contents(service: Parameters<typeof ask>[0], count: number): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (let turn = 0; turn < count; turn++) {
    const { body } = await ask(service, completions, user("hi"));
    seen.push(/"content":"([^"]*)"/.exec(JSON.stringify(body))?.[1] ?? null);
  }
  return seen;
}

const replies = [{ content: "one" }, { content: "two" }] as const;

const turns = [
  ["the last reply again by default", { replies }, ["one", "two", "two", "two"]],
  ["the last reply again", { replies, after: "repeat" }, ["one", "two", "two", "two"]],
  ["the first reply again in a cycle", { replies, after: "cycle" }, ["one", "two", "one", "two"]],
  ["no match at the end", { replies, after: "end" }, ["one", "two", null, null]],
  ["no match after so many times", { replies, times: 3 }, ["one", "two", "two", null]],
  ["no match after one time", { reply: { content: "once" }, times: 1 }, ["once", null, null, null]],
] as const;

for (const [what, script, expected] of turns) {
  contract(`gives the replies in turn, then ${what}`, async (transport) => {
    await using service = await transport.open(
      { models, chats: [{ name: "it", ...script }] },
      { strict: true },
    );
    expect(await contents(service, 4)).toEqual(expected);
  });
}

contract(
  "takes the first script that matches, in order, and the next when it is used up",
  async (transport) => {
    const chats = [
      { name: "other", when: { user: "bye" }, reply: { content: "bye" } },
      { name: "first", times: 1, reply: { content: "first" } },
      { name: "second", reply: { content: "second" } },
    ];
    await using service = await transport.open({ models, chats });
    expect(await contents(service, 3)).toEqual(["first", "second", "second"]);
  },
);

contract("gives each of many requests at once its own reply", async (transport) => {
  const numbered = Array.from({ length: 20 }, (_, index) => ({ content: `reply ${index}` }));
  await using service = await transport.open({
    models,
    chats: [{ name: "it", replies: numbered }],
  });
  const answers = await Promise.all(numbered.map(() => ask(service, completions, user("hi"))));
  const seen = answers.map(({ text }) => /reply \d+/.exec(text)?.[0]);
  expect(new Set(seen).size).toBe(20);
});

contract(
  "names the closest script and what failed when nothing may be echoed",
  async (transport) => {
    const chats = [
      { name: "far", when: { user: "rain", model: "other" }, reply: { content: "x" } },
      { name: "near", when: { user: "snow", model: "atlas" }, reply: { content: "x" } },
    ];
    await using service = await transport.open({ models, chats, chat: { unmatched: "error" } });
    const { status, headers, body } = await ask(
      service,
      completions,
      user("Snow", { stream: true }),
    );
    expect(status).toBe(404);
    expect(headers.get("x-should-retry")).toBe("false");
    expect(body).toEqual({
      error: {
        message: expect.stringMatching(/"near".*user.*snow.*Snow/),
        type: "invalid_request_error",
        param: null,
        code: "no_script_matched",
      },
    });
  },
);

contract("lets the option strict win over the fixtures", async (transport) => {
  await using service = await transport.open(
    { models, chat: { unmatched: "error" } },
    { strict: false },
  );
  expect((await ask(service, completions, user("sun"))).text).toContain("Echo: sun");
});
