import { expect, test } from "vitest";
import { openaiProfile } from "../../../src/core/chat/profiles.ts";
import { bodyOf, chatBody, chatContext, model, post } from "./support.ts";

// What refusals of a request say: what each field has to be, and what goes with what.

const tool = { type: "function", function: { name: "f" } };
const custom = { type: "custom", custom: { name: "g" } };
/** The strict rules, in Backlot's words. */
const strict = { profile: { ...openaiProfile, guides: true } };

/** What is said of a body, without what all of them begin with. */
async function said(body: unknown, options: object = strict): Promise<string> {
  const { error } = bodyOf(await post(chatContext(options), body));
  return error.message.replace("Cannot read the request: ", "");
}

test.each<[object, string]>([
  [{ model: 5 }, '"model" must be a string, but it is the number 5.'],
  [{ messages: "Hi" }, '"messages" must be an array, but it is the string "Hi".'],
  [{ messages: ["Hi"] }, '"messages[0]" must be an object, but it is the string "Hi".'],
  [{ messages: [{ role: 1 }] }, '"messages[0].role" must be a string, but it is the number 1.'],
  [
    { messages: [{ role: "usr", content: "" }] },
    '"messages[0].role" is "usr", but it must be one of system, developer, user, assistant, tool, ' +
      'function. Did you mean "user"?',
  ],
  [
    { messages: [{ role: "user", content: 5 }] },
    '"messages[0].content" must be a string or an array of parts, but it is the number 5.',
  ],
  [
    { messages: [{ role: "user", name: "a b", content: "" }] },
    '"messages[0].name" is "a b", but it must be without spaces and the signs < | \\ / >.',
  ],
  [{ n: 1.5 }, '"n" must be a whole number, but it is the number 1.5.'],
  [{ temperature: "1" }, '"temperature" must be a number, but it is the string "1".'],
  [{ temperature: -1 }, '"temperature" is -1, but it must be from 0 to 2.'],
  [{ max_tokens: 0 }, '"max_tokens" is 0, but it must be 1 or more.'],
  [{ logprobs: 1 }, '"logprobs" must be true or false, but it is the number 1.'],
  [{ logit_bias: [] }, '"logit_bias" must be an object, but it is an array.'],
  [{ service_tier: 5 }, '"service_tier" must be a string, but it is the number 5.'],
  [{ stop: {} }, '"stop" must be a string or an array of strings, but it is an object.'],
  [{ tools: [5] }, '"tools[0]" must be an object, but it is the number 5.'],
  [
    { functions: [{ name: "a b" }] },
    '"functions[0].name" is "a b", but it must be letters, digits, "_" and "-".',
  ],
  [{ stream_options: {} }, '"stream_options" works only together with "stream": true.'],
  [{ top_logprobs: 1 }, '"top_logprobs" works only together with "logprobs": true.'],
  [{ tool_choice: "auto" }, '"tool_choice" works only together with "tools".'],
  [{ function_call: "auto" }, '"function_call" works only together with "functions".'],
  [
    { tools: [custom, tool, custom], tool_choice: { type: "function", function: { name: "g" } } },
    '"tool_choice" names "g", which is not offered. There is "f".',
  ],
])("says of %j what is wrong", async (more, problem) => {
  expect(await said(chatBody(more))).toBe(problem);
});

test.each([[5], [null], [[1]], ["text"]])("says that a body is no object: %j", async (body) => {
  const shown = Array.isArray(body) ? "an array" : JSON.stringify(body);
  expect(await said(JSON.stringify(body))).toBe(
    `its body must be a JSON object, but it is ${shown}.`,
  );
});

test("shows a hundred characters of a value", async () => {
  const whole = await said(chatBody({ service_tier: "x".repeat(100) }));
  const longer = await said(chatBody({ service_tier: "x".repeat(101) }));
  expect(whole).toContain(`"${"x".repeat(100)}"`);
  expect(longer).toContain(`"${"x".repeat(100)}…"`);
});

test("names the first of problems that weigh the same", async () => {
  const problem = '"temperature" must be a number, but it is the string "x".';
  expect(await said(chatBody({ top_p: "x", temperature: "x" }))).toBe(problem);
});

test.each<[object]>([
  [{ user: "x".repeat(64) }],
  [
    {
      store: true,
      metadata: Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`k${at}`, ""])),
    },
  ],
  [{ store: true, metadata: { ["k".repeat(64)]: "x".repeat(512) } }],
  [{ functions: [{ name: "x".repeat(64), description: "x".repeat(1024) }] }],
  [{ tools: Array.from({ length: 128 }, () => tool) }],
  [{ tools: [tool], tool_choice: { type: "function", function: { name: "f" } } }],
  [{ tools: [custom], tool_choice: { type: "custom", custom: { name: "g" } } }],
  [{ functions: [{ name: "f" }], function_call: "none" }],
])("takes what just fits", async (more) => {
  expect(await post(chatContext(strict), chatBody(more))).toMatchObject({ status: 200 });
});

test.each([
  { refusal: "No." },
  { audio: { id: "a" } },
  { function_call: { name: "f", arguments: "" } },
])("takes an assistant message without content that says %j", async (saying) => {
  const messages = [
    { role: "user", content: "Hi" },
    { role: "assistant", ...saying },
  ];
  expect(await post(chatContext(strict), chatBody({ messages }))).toMatchObject({ status: 200 });
});

test("takes a type with space around it for JSON", async () => {
  const headers = { "content-type": "  application/json ; charset=utf-8 " };
  expect(await post(chatContext(strict), chatBody(), headers)).toMatchObject({ status: 200 });
});

test("reads a null as nothing where the documents let clients send it", async () => {
  const body = chatBody({ messages: [{ role: null, content: "Hi" }] });
  expect(await said(body, {})).toBe('the parameter "messages[0].role" is missing.');
  expect(await said(body)).toBe('"messages[0].role" must be a string, but it is null.');
});

test("looks for similar names among the models that chat", async () => {
  const models = [model("atlas"), model("nova-embed", { kind: "embedding" })];
  const problem = await said(chatBody({ model: "nova-embd" }), { models });
  expect(problem).toMatch(/ GET \/models lists those that exist\. Add it to /);
});

test("knows the context of the model that is asked for, by its id before a variant", async () => {
  const models = [
    model("wide", { contextLength: 100, variant: "narrow" }),
    model("other", { contextLength: 90, variant: "other-2024" }),
    model("narrow", { contextLength: 5 }),
  ];
  const limits: (string | undefined)[] = [];
  for (const id of ["narrow", "other-2024", "wide"]) {
    const problem = await said(chatBody({ model: id, max_tokens: 200 }), { models });
    limits.push(/context length is (\d+) tokens/.exec(problem)?.[1]);
  }
  expect(limits).toEqual(["5", "90", "100"]);
});
