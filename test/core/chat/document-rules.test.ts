import { expect, test } from "vitest";
import { bodyOf, chatBody, chatContext, post } from "./support.ts";

test.each<[string, object, string, string]>([
  ["a stop that is a number", chatBody({ stop: 5 }), "invalid_type", "stop"],
  ["no stop in an array", chatBody({ stop: [] }), "empty_array", "stop"],
  ["five stops", chatBody({ stop: ["a", "b", "c", "d", "e"] }), "array_above_max_length", "stop"],
  ["a stop that is null", chatBody({ stop: ["a", null] }), "invalid_type", "stop[1]"],
  ["logprobs of 1", chatBody({ logprobs: 1 }), "invalid_type", "logprobs"],
  ["top_logprobs of 21", chatBody({ top_logprobs: 21 }), "integer_above_max_value", "top_logprobs"],
  ["top_logprobs of -1", chatBody({ top_logprobs: -1 }), "integer_below_min_value", "top_logprobs"],
  ["top_logprobs of 1.5", chatBody({ top_logprobs: 1.5 }), "invalid_type", "top_logprobs"],
  ["an unknown tool_choice", chatBody({ tool_choice: "any" }), "invalid_value", "tool_choice"],
  ["a tool_choice of true", chatBody({ tool_choice: true }), "invalid_type", "tool_choice"],
  ["a list of tool choices", chatBody({ tool_choice: ["auto"] }), "invalid_type", "tool_choice"],
  [
    "a response_format of text",
    chatBody({ response_format: "text" }),
    "invalid_type",
    "response_format",
  ],
  [
    "a response_format without a type",
    chatBody({ response_format: {} }),
    "missing_required_parameter",
    "response_format.type",
  ],
  [
    "an unknown response_format",
    chatBody({ response_format: { type: "json" } }),
    "invalid_value",
    "response_format.type",
  ],
])("refuses %s with 400", async (_, body, code, param) => {
  const reply = await post(chatContext(), body);
  expect(reply.status).toBe(400);
  expect(bodyOf(reply).error).toEqual({
    message: expect.stringContaining(`"${param}"`),
    type: "invalid_request_error",
    param,
    code,
  });
});

test.each<[object]>([
  [{ stop: "a" }],
  [{ stop: ["a", "b", "c", "d"] }],
  [{ logprobs: true, top_logprobs: 20 }],
  [{ logprobs: false, top_logprobs: 0 }],
  [{ tool_choice: "required" }],
  [{ tool_choice: { type: "function", function: { name: "f" } } }],
  [{ response_format: { type: "json_schema", json_schema: { name: "x" } } }],
  [{ response_format: { type: "text" }, user: 5, seed: "x", metadata: [] }],
  [{ stop: null, logprobs: null, top_logprobs: null, tool_choice: null, response_format: null }],
])("accepts %j", async (more) => {
  expect(await post(chatContext(), chatBody(more))).toMatchObject({ status: 200 });
});

test.each([
  { content: null, refusal: null },
  { content: null, reasoning_content: "Hm." },
  { refusal: null },
  {},
])("takes its own replies back, though they say nothing: %j", async (said) => {
  const user = { role: "user", content: "Go on" };
  const messages = [user, { role: "assistant", ...said }, user];
  expect(await post(chatContext(), chatBody({ messages }))).toMatchObject({ status: 200 });
});

test("names how many stop sequences there are and how many there can be", async () => {
  const { error } = bodyOf(await post(chatContext(), chatBody({ stop: ["", "", "", "", ""] })));
  expect(error.message).toBe(
    'Cannot read the request: "stop" has 5 items, but it can have at most 4.',
  );
});
