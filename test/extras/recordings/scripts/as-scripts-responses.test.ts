import { expect, test } from "vitest";
import type { RecordedAnswer, RecordedRequest } from "../../../../src/core/recordings/cassette.ts";
import { ask, emulatorWith, eventsOf } from "../../responses/support.ts";
import { cameTo, chatCassette, exchange, jsonAnswer, streamAnswer } from "./as-scripts-support.ts";

const reply = {
  reasoning: "Let me think.",
  content: "I look it up.",
  toolCalls: [{ id: "call_1", name: "look", arguments: { city: "Oslo" } }],
};
const request = {
  model: "gpt-5",
  input: [{ role: "user", content: "The weather?" }],
  tools: [{ type: "function", name: "look", parameters: { type: "object", properties: {} } }],
  reasoning: { summary: "auto" },
};

function recorded(body: object): RecordedRequest {
  return { method: "POST", path: "/responses", body: { json: body } };
}

/** The only reply of the only script that an answer comes to. */
function replyOf(body: object, answer: RecordedAnswer) {
  const { chats, remarks } = cameTo([chatCassette("a", [exchange(recorded(body), answer)])]);
  expect(remarks).toEqual([]);
  return chats[0]?.scripts[0];
}

test("a recorded response becomes a script that answers on both wires", async () => {
  const emulator = await emulatorWith([{ reply }]);
  const { body } = await ask(emulator, request);
  const script = replyOf(request, jsonAnswer(body));
  expect(script).toMatchObject({ when: { user: { equals: "The weather?" } }, reply });
});

test("a recorded stream of events becomes the same script", async () => {
  const events = await eventsOf(await emulatorWith([{ reply }]), request);
  const texts = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  const script = replyOf({ ...request, stream: true }, streamAnswer(texts));
  expect(script).toMatchObject({ reply });
});

test.each([
  ["cut", 6, "cut"],
  ["error", 4, "error"],
] as const)("a stream that ends by %s has that fault", async (kind, afterChunks, found) => {
  const emulator = await emulatorWith([
    { reply: { content: "Hello there", fault: { kind, afterChunks } } },
  ]);
  const events = await eventsOf(emulator, { model: "m", input: "Hi" });
  const texts = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  const script = replyOf({ model: "m", input: "Hi", stream: true }, streamAnswer(texts));
  expect(JSON.stringify(script)).toContain(`"${found}"`);
});

test("usage and an end at the limit are the script's", async () => {
  const emulator = await emulatorWith([{ reply: { content: "Hello", finishReason: "length" } }]);
  const { body } = await ask(emulator, { model: "m", input: "Hi" });
  expect(replyOf({ model: "m", input: "Hi" }, jsonAnswer(body))?.reply).toMatchObject({
    content: "Hello",
    finishReason: "length",
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
});
