import { expect, test } from "vitest";
import { ask, emulatorWith, eventsOf, typesOf } from "./support.ts";

const tools = [
  { type: "function", name: "get_weather", parameters: { type: "object", properties: {} } },
];
const weather = {
  when: { user: "weather", tool: "get_weather" },
  reply: {
    content: "Let me look.",
    toolCalls: [{ name: "get_weather", arguments: { city: "Oslo" } }],
  },
};

test("a text is a message item with one part, and the usage counts as chat's does", async () => {
  const emulator = await emulatorWith([{ reply: { content: "Hello!" } }]);
  const { status, body } = await ask(emulator, { model: "gpt-5", input: "Hi" });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    object: "response",
    created_at: 1_767_225_600,
    completed_at: 1_767_225_600,
    status: "completed",
    model: "gpt-5",
    output: [
      {
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "Hello!", annotations: [], logprobs: [] }],
      },
    ],
    usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
    store: true,
    service_tier: "default",
    text: { format: { type: "text" }, verbosity: "medium" },
  });
  expect(body.id).toMatch(/^resp_[0-9a-f]{50}$/);
  expect(body.output[0].id).toMatch(/^msg_[0-9a-f]{50}$/);
  expect(body).not.toHaveProperty("output_text");
});

test("a text and calls are items in turn, and calls pair by call_id", async () => {
  const emulator = await emulatorWith([weather]);
  const { body } = await ask(emulator, { model: "gpt-5", input: "The weather?", tools });
  expect(body.status).toBe("completed");
  expect(body.output.map(({ type }: { type: string }) => type)).toEqual([
    "message",
    "function_call",
  ]);
  expect(body.output[1]).toMatchObject({
    status: "completed",
    name: "get_weather",
    arguments: '{"city":"Oslo"}',
    call_id: expect.stringMatching(/^call_\w{24}$/),
    id: expect.stringMatching(/^fc_/),
  });
  expect(body.tools[0]).toEqual({
    ...tools[0],
    description: null,
    output_schema: null,
    strict: true,
  });
});

test("a call of a custom tool has its input as text", async () => {
  const emulator = await emulatorWith([
    { reply: { toolCalls: [{ name: "shell", arguments: "ls -l" }] } },
  ]);
  const request = { model: "m", input: "List", tools: [{ type: "custom", name: "shell" }] };
  const { body } = await ask(emulator, request);
  expect(body.output[0]).toMatchObject({ type: "custom_tool_call", name: "shell", input: "ls -l" });
  expect(typesOf(await eventsOf(emulator, request))).toEqual([
    "created",
    "in_progress",
    "output_item.added",
    "custom_tool_call_input.delta",
    "custom_tool_call_input.done",
    "output_item.done",
    "completed",
  ]);
});

test("reasoning is summarised where the request asks for it, else its item is empty", async () => {
  const emulator = await emulatorWith([{ reply: { reasoning: "Let me think.", content: "Yes." } }]);
  const plain = await ask(emulator, { model: "m", input: "Well?" });
  expect(plain.body.output[0]).toEqual({
    id: expect.stringMatching(/^rs_/),
    type: "reasoning",
    summary: [],
  });
  expect(plain.body.usage.output_tokens_details).toEqual({ reasoning_tokens: 4 });
  const asked = await ask(emulator, {
    model: "m",
    input: "Well?",
    reasoning: { summary: "auto" },
    include: ["reasoning.encrypted_content"],
  });
  expect(asked.body.output[0]).toMatchObject({
    summary: [{ type: "summary_text", text: "Let me think." }],
    encrypted_content: expect.any(String),
  });
});

test("a refusal is a part of the message", async () => {
  const emulator = await emulatorWith([{ reply: { refusal: "I cannot." } }]);
  const { body } = await ask(emulator, { model: "m", input: "Do it" });
  expect(body.output[0].content).toEqual([{ type: "refusal", refusal: "I cannot." }]);
  expect(typesOf(await eventsOf(emulator, { model: "m", input: "Do it" }))).toEqual([
    "created",
    "in_progress",
    "output_item.added",
    "content_part.added",
    "refusal.delta",
    "refusal.done",
    "content_part.done",
    "output_item.done",
    "completed",
  ]);
});

test.each([
  [{ finishReason: "length" }, {}, "max_output_tokens"],
  [{ finishReason: "content_filter" }, {}, "content_filter"],
  [{}, { max_output_tokens: 16 }, "max_output_tokens"],
])("an answer that ends early is incomplete: %j, %j", async (more, asked, reason) => {
  const content = "One two three four five six seven eight nine ten eleven twelve. ".repeat(2);
  const emulator = await emulatorWith([{ reply: { content, ...more } }]);
  const request = { model: "m", input: "Count", ...asked };
  const { body } = await ask(emulator, request);
  expect(body).toMatchObject({
    status: "incomplete",
    incomplete_details: { reason },
    completed_at: null,
    output: [{ status: "incomplete" }],
  });
  expect((await eventsOf(emulator, request)).at(-1)?.type).toBe("response.incomplete");
});

test("probabilities of tokens come where they are included", async () => {
  const emulator = await emulatorWith([{ reply: { content: "Hello you" } }]);
  const include = ["message.output_text.logprobs"];
  const { body } = await ask(emulator, { model: "m", input: "Hi", include, top_logprobs: 2 });
  const [{ logprobs }] = body.output[0].content;
  expect(logprobs.map(({ token }: { token: string }) => token).join("")).toBe("Hello you");
  expect(logprobs[0].top_logprobs).toHaveLength(2);
});

test("a script's error has chat's envelope, and its headers", async () => {
  const error = {
    status: 429,
    message: "Slow down.",
    code: "rate_limit_exceeded",
    retryAfterMs: 1500,
  };
  const emulator = await emulatorWith([{ reply: { error } }]);
  const { status, headers, body } = await ask(emulator, { model: "m", input: "Hi" });
  expect(status).toBe(429);
  expect(headers.get("retry-after-ms")).toBe("1500");
  expect(body.error).toMatchObject({ message: "Slow down.", code: "rate_limit_exceeded" });
});

test("without a script the echo answers, and gives a value for a schema", async () => {
  const emulator = await emulatorWith([]);
  expect((await ask(emulator, { model: "m", input: "Hi" })).body.output[0].content[0].text).toBe(
    "Echo: Hi",
  );
  const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  const text = { format: { type: "json_schema", name: "number", schema } };
  const { body } = await ask(emulator, { model: "m", input: "Hi", text });
  expect(JSON.parse(body.output[0].content[0].text)).toEqual({ n: expect.any(Number) });
  expect(body.text.format).toMatchObject({ name: "number", strict: true, description: null });
  const called = await ask(emulator, { model: "m", input: "Hi", tools, tool_choice: "required" });
  expect(called.body.output[0]).toMatchObject({ type: "function_call", name: "get_weather" });
});

test("under document there is no such path, and the answer says what to do", async () => {
  const emulator = await emulatorWith([], { profiles: { chat: "document" } });
  const { status, body } = await ask(emulator, { model: "m", input: "Hi" });
  expect(status).toBe(404);
  expect(body.error.message).toContain("--chat-profile openai");
  expect(body.error.message).toContain('openai.chat("…")');
});
