import { expect, test } from "vitest";
import { bodyOf, chatBody, chatContext, model, post, replying } from "./support.ts";

const models = [model("atlas", { variant: "atlas-2024", contextLength: 10 })];
const five = "one two three four five";

test.each([
  [
    {},
    "one two three four five six seven eight nine ten eleven",
    "is 10 tokens. However, your messages resulted in 11 tokens",
  ],
  [{ max_tokens: 6 }, five, "you requested 11 tokens (5 in the messages, 6 in the completion)"],
  [{ max_completion_tokens: 6, stream: true }, five, "you requested 11 tokens"],
  [{ max_tokens: 6, model: "atlas-2024" }, five, "you requested 11 tokens"],
])("refuses %j with %j, which the context has no room for", async (fields, user, words) => {
  const reply = await post(chatContext({ models }), chatBody(fields, user));
  expect(reply.status).toBe(400);
  const { error } = bodyOf(reply);
  expect(error).toMatchObject({ code: "context_length_exceeded", param: "messages" });
  expect(error.message).toContain(words);
});

test("cuts a reply that the context has no room for", async () => {
  const { choices, usage } = bodyOf(
    await post(replying({ content: five }, { models }), chatBody({}, "1 2 3 4 5 6 7")),
  );
  expect(choices[0]).toMatchObject({
    message: { content: "one two three" },
    finish_reason: "length",
  });
  expect(usage.total_tokens).toBe(10);
});

test("an exact fit is not cut", async () => {
  const { choices } = bodyOf(
    await post(replying({ content: five }, { models }), chatBody({ max_tokens: 5 }, five)),
  );
  expect(choices[0]).toMatchObject({ message: { content: five }, finish_reason: "stop" });
});

// Counts that the real service gave.
test.each([
  ["o200k_base", "hi", 8],
  ["cl100k_base", "hi", 8],
  ["estimate", "hi", 1],
] as const)(
  "counts by %s the frame of messages in a real encoding alone",
  async (tokenizer, user, tokens) => {
    const { usage } = bodyOf(await post(chatContext({ tokenizer }), chatBody({}, user)));
    expect(usage.prompt_tokens).toBe(tokens);
  },
);

test("counts names, tool calls and tools in a real encoding", async () => {
  const context = chatContext({ tokenizer: "o200k_base" });
  const count = async (more: object) =>
    bodyOf(await post(context, chatBody(more))).usage.prompt_tokens;
  const plain = await count({});
  expect(await count({ messages: [{ role: "user", name: "Ada", content: "Hi" }] })).toBe(plain + 2);
  const parameters = { type: "object", properties: { city: { type: "string", enum: ["Oslo"] } } };
  const tool = {
    type: "function",
    function: { name: "weather", description: "Tells.", parameters },
  };
  expect(await count({ tools: [tool] })).toBeGreaterThan(plain + 20);
});
