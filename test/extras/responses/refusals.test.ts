import { expect, test } from "vitest";
import { ask, emulatorWith } from "./support.ts";

const hi = { model: "m", input: "Hi" };
const flat = { type: "function", name: "f", parameters: { type: "object", properties: {} } };

test.each<[string, object, number, string | null, string | null]>([
  ["no model", { input: "Hi" }, 400, "missing_required_parameter", "model"],
  ["no input", { model: "m" }, 400, "missing_required_parameter", "input"],
  ["an empty input", { model: "m", input: "" }, 400, "missing_required_parameter", null],
  ["messages", { ...hi, messages: [] }, 400, "unsupported_parameter", null],
  ["an unknown argument", { ...hi, tool: 1 }, 400, "unknown_parameter", "tool"],
  [
    "a key within one",
    { ...hi, reasoning: { bogus: 1 } },
    400,
    "unknown_parameter",
    "reasoning.bogus",
  ],
  ["a wrong type", { ...hi, store: "yes" }, 400, "invalid_type", "store"],
  ["a value of no list", { ...hi, truncation: "x" }, 400, "invalid_value", "truncation"],
  [
    "too few tokens",
    { ...hi, max_output_tokens: 8 },
    400,
    "integer_below_min_value",
    "max_output_tokens",
  ],
  [
    "usage in a stream",
    { ...hi, stream_options: { include_usage: true } },
    400,
    "unknown_parameter",
    "stream_options.include_usage",
  ],
  [
    "chat's nested tool",
    { ...hi, tools: [{ type: "function", function: { name: "f" } }] },
    400,
    "missing_required_parameter",
    "tools[0].name",
  ],
  [
    "a tool without a type",
    { ...hi, tools: [{ name: "f" }] },
    400,
    "missing_required_parameter",
    "tools[0].type",
  ],
  [
    "a tool that is not offered",
    { ...hi, tools: [flat], tool_choice: { type: "function", name: "g" } },
    400,
    null,
    "tool_choice",
  ],
  [
    "a role that does not exist",
    { model: "m", input: [{ role: "bob", content: "x" }] },
    400,
    "invalid_value",
    "input[0]",
  ],
  [
    "an item that does not exist",
    { model: "m", input: [{ type: "zzz" }] },
    400,
    "invalid_value",
    "input[0]",
  ],
  [
    "a part that does not exist",
    { model: "m", input: [{ role: "user", content: [{ type: "zzz" }] }] },
    400,
    "invalid_value",
    "input[0].content[0].type",
  ],
  [
    "a part of another role",
    { model: "m", input: [{ role: "user", content: [{ type: "output_text", text: "x" }] }] },
    400,
    "invalid_value",
    "input[0].content[0]",
  ],
  [
    "a previous response that is not kept",
    { ...hi, previous_response_id: "resp_x" },
    400,
    "previous_response_not_found",
    "previous_response_id",
  ],
  ["a conversation", { ...hi, conversation: "conv_x" }, 404, null, null],
  [
    "a conversation and a previous response",
    { ...hi, conversation: "conv_x", previous_response_id: "resp_x" },
    400,
    "mutually_exclusive_parameters",
    null,
  ],
  ["a prompt", { ...hi, prompt: { id: "pmpt_x" } }, 404, null, null],
  [
    "an item that is not kept",
    { model: "m", input: [{ type: "item_reference", id: "msg_x" }] },
    404,
    null,
    "input",
  ],
  [
    "an output without its call",
    { model: "m", input: [{ type: "function_call_output", call_id: "call_x", output: "1" }] },
    400,
    null,
    "input",
  ],
  [
    "a call without its output",
    {
      model: "m",
      input: [{ type: "function_call", call_id: "call_x", name: "f", arguments: "{}" }],
    },
    400,
    null,
    "input",
  ],
  [
    "an id of another kind",
    {
      model: "m",
      input: [
        { type: "function_call", id: "call_x", call_id: "call_x", name: "f", arguments: "{}" },
      ],
    },
    400,
    "invalid_value",
    "input[0].id",
  ],
  [
    "json_object without the word",
    { ...hi, text: { format: { type: "json_object" } } },
    400,
    null,
    "text.format",
  ],
  ["background", { ...hi, background: true }, 400, null, "background"],
])("refuses %s", async (_, body, status, code, param) => {
  const answered = await ask(await emulatorWith([]), body);
  expect(answered.status).toBe(status);
  expect(answered.body.error).toMatchObject({ type: "invalid_request_error", code, param });
});

test.each([
  [{ truncation: "bogus", instructions: 7 }, "truncation"],
  [{ include: "x", moderation: "x" }, "moderation"],
  [{ text: "x", metadata: "x" }, "metadata"],
  [{ service_tier: "bogus", store: "x" }, "store"],
  [{ background: "x", stream_options: "x" }, "stream_options"],
  [{ store: "x", zzz: 1 }, "zzz"],
  [{ previous_response_id: "resp_x", truncation: "bogus" }, "truncation"],
])("of two faults in %j it reports the one at %s", async (more, param) => {
  const { body } = await ask(await emulatorWith([]), { ...hi, ...more });
  expect(body.error.param).toBe(param);
});

test("null means left out, except for model and input", async () => {
  const emulator = await emulatorWith([]);
  const nulls = { tools: null, text: null, temperature: null, store: null, metadata: null };
  expect((await ask(emulator, { ...hi, ...nulls })).status).toBe(200);
  expect((await ask(emulator, { model: null, input: "Hi" })).body.error.param).toBe("model");
  const { body } = await ask(emulator, { model: "m", input: null });
  expect(body.error).toMatchObject({ param: "input", code: "invalid_type" });
});

test("what Codex says of itself is accepted, though no document has it", async () => {
  const metadata = { session_id: "s", "x-codex-turn-metadata": "{}" };
  const { status } = await ask(await emulatorWith([]), {
    model: "m",
    input: "Hi",
    client_metadata: metadata,
  });
  expect(status).toBe(200);
});

test("hosted tools are accepted and shown, and no call of them is made up", async () => {
  const tools = [
    { type: "web_search" },
    { type: "mcp", server_label: "docs", server_url: "https://a.b" },
  ];
  const { status, body } = await ask(await emulatorWith([]), { ...hi, tools });
  expect(status).toBe(200);
  expect(body.tools).toEqual(tools);
  expect(body.output).toHaveLength(1);
});

test("the computer can be chosen by any of its names", async () => {
  const offering = { ...hi, tools: [{ type: "computer" }] };
  const emulator = await emulatorWith([]);
  for (const type of ["computer", "computer_use", "computer_use_preview"]) {
    expect(await ask(emulator, { ...offering, tool_choice: { type } })).toMatchObject({
      status: 200,
    });
  }
  const other = await ask(emulator, { ...offering, tool_choice: { type: "mcp" } });
  expect(other.body.error).toMatchObject({ param: "tool_choice" });
});
