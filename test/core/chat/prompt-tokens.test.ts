import { expect, test } from "vitest";
import { countPrompt } from "../../../src/core/chat/request/prompt-tokens.ts";
import { requestOf } from "../../../src/core/chat/request/chat-request.ts";
import type { Tokenizer, TokenizerName } from "../../../src/core/chat/tokens/tokenizer.ts";

/** A tokenizer that has a token for each character, and keeps what it was asked for. */
function characters(name: TokenizerName, asked: string[] = []): Tokenizer {
  return {
    name,
    count: (text) => {
      asked.push(text);
      return text.length;
    },
    split: (text) => [text],
    start: (text) => [{ text, tokens: text.length }],
  };
}

const user = { role: "user", content: "Hi" };

function tool(more: object): object {
  return { type: "function", function: { name: "f", ...more } };
}

/** What a body takes with a message and more. */
function counted(more: object): number {
  return countPrompt(requestOf({ messages: [user], ...more }), characters("o200k_base"));
}

/** What a body's tools take beside a message. */
function toolsOf(tools: unknown, name: TokenizerName = "o200k_base"): number {
  const tokenizer = characters(name);
  const alone = countPrompt(requestOf({ messages: [user] }), tokenizer);
  return countPrompt(requestOf({ messages: [user], tools }), tokenizer) - alone;
}

test.each<[object, number]>([
  [user, 3 + 4 + 2],
  [{ ...user, name: "Ada" }, 3 + 4 + 2 + 1 + 3],
  [{ ...user, tool_calls: [null, 5] }, 3 + 4 + 2],
  [
    { role: "assistant", tool_calls: [{ id: "1", function: { name: "f", arguments: "{}" } }] },
    3 + 9 + (3 + 1 + 2),
  ],
  [{ role: "assistant", tool_calls: [{ id: "1" }, { function: { name: "ff" } }] }, 3 + 9 + 3 + 5],
  [
    { role: "assistant", tool_calls: [{ type: "custom", custom: { name: "g", input: "xyz" } }] },
    3 + 9 + (3 + 1 + 3),
  ],
  [{ role: "assistant", function_call: { name: "f", arguments: "{}" } }, 3 + 9 + (3 + 1 + 2)],
])("counts the frame of %j and all that it says", (message, tokens) => {
  const request = requestOf({ messages: [message] });
  expect(countPrompt(request, characters("o200k_base"))).toBe(3 + tokens);
});

test("estimates texts, calls, tools and images, without a format around them", () => {
  const call = { id: "1", function: { name: "f", arguments: "{}" } };
  const image = { type: "image_url", image_url: { url: "https://a.b/c.png" } };
  const messages = [
    { ...user, name: "Ada", content: [{ type: "text", text: "Hi" }, image] },
    { role: "assistant", tool_calls: [call] },
  ];
  const request = requestOf({ messages, tools: [tool({ description: "Rain." })] });
  const expected = 2 + 765 + "f{}".length + "f:Rain".length;
  expect(countPrompt(request, characters("estimate"))).toBe(expected);
});

test.each<[unknown, number]>([
  [undefined, 0],
  [[], 0],
  ["tools", 0],
  [[null], 0],
  [[tool({})], 12 + 7 + 2],
  [[tool({}), tool({})], 12 + 2 * (7 + 2)],
  [[{ type: "custom" }], 12 + 7 + 1],
  [[tool({ description: "Rain." })], 12 + 7 + "f:Rain".length],
  [[tool({ description: ".net" })], 12 + 7 + "f:.net".length],
  [[tool({ description: null })], 12 + 7 + 2],
  [[tool({ parameters: {} })], 12 + 7 + 2],
  [[tool({ parameters: { properties: {} } })], 12 + 7 + 2],
  [[tool({ parameters: { properties: { a: {} } } })], 12 + 7 + 2 + 3 + (3 + "a::".length)],
  [[tool({ parameters: { properties: { a: true } } })], 12 + 7 + 2 + 3 + (3 + "a::".length)],
  [
    [tool({ parameters: { properties: { a: { type: "string", description: "City." }, b: {} } } })],
    12 + 7 + 2 + 3 + (3 + "a:string:City".length) + (3 + "b::".length),
  ],
  [
    [tool({ parameters: { properties: { a: { type: ["string", "null"] } } } })],
    12 + 7 + 2 + 3 + (3 + 'a:["string","null"]:'.length),
  ],
  [
    [tool({ parameters: { properties: { a: { enum: ["xy", 5, null] } } } })],
    12 + 7 + 2 + 3 + (3 + "a::".length) - 3 + (3 + 2) + (3 + 1) + 3,
  ],
  [
    [tool({ parameters: { properties: { a: { properties: { b: {} } } } } })],
    12 + 7 + 2 + 3 + (3 + "a::".length) + 3 + (3 + "b::".length),
  ],
  [
    [tool({ parameters: { properties: { a: { items: { properties: { b: {} } } } } } })],
    12 + 7 + 2 + 3 + (3 + "a::".length) + 3 + (3 + "b::".length),
  ],
  [[{ type: "custom", custom: { name: "g", description: "Run." } }], 12 + 7 + "g:Run".length],
  [
    [
      {
        type: "custom",
        custom: {
          name: "g",
          format: { type: "grammar", grammar: { definition: "a|b", syntax: "regex" } },
        },
      },
    ],
    12 + 7 + "g:".length + "a|b".length,
  ],
])("counts the tools %j by the format of the service", (tools, tokens) => {
  expect(toolsOf(tools)).toBe(tokens);
});

test("counts three tokens more for a tool in the older encoding", () => {
  expect(toolsOf([tool({})], "cl100k_base")).toBe(12 + 10 + 2);
});

test("counts functions that are offered in the older way as tools", () => {
  const functions = [{ name: "f", description: "Rain." }];
  expect(counted({ functions })).toBe(counted({ tools: [tool({ description: "Rain." })] }));
});

test("asks for no text that is not the request's", () => {
  const asked: string[] = [];
  countPrompt(requestOf({ messages: [user] }), characters("o200k_base", asked));
  expect(asked).toEqual(["user", "Hi"]);
});
