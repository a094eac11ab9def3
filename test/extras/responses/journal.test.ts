import { expect, test } from "vitest";
import { scriptOf } from "../../../src/extras/console/requests/script-of.ts";
import { askedChat } from "../../../src/extras/console/requests/summary.ts";
import type { JsonObject } from "../../../src/core/schema/json.ts";
import { ask, emulatorWith, eventsOf } from "./support.ts";

const request = {
  model: "m",
  instructions: "Be brief.",
  input: "The weather?",
  tools: [{ type: "function", name: "look", parameters: { type: "object", properties: {} } }],
};
const chats = [
  { name: "other", when: { user: "The wether" }, reply: { content: "No." } },
  {
    name: "weather",
    when: { user: "weather" },
    reply: { content: "Let me look.", toolCalls: [{ name: "look" }] },
  },
];

test("the journal knows script, near misses, usage and finish of a response", async () => {
  const emulator = await emulatorWith(chats);
  await ask(emulator, request);
  await eventsOf(emulator, request);
  for (const entry of emulator.journal.list()) {
    expect(entry).toMatchObject({
      interface: "chat",
      script: "weather",
      finishReason: "tool_calls",
      usage: { prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) },
      misses: [{ script: "other" }],
    });
  }
});

test("the console shows a response as a chat, and makes a script of it", async () => {
  const emulator = await emulatorWith(chats);
  await ask(emulator, request);
  await eventsOf(emulator, request);
  for (const entry of emulator.journal.list()) {
    expect(askedChat(entry)).toMatchObject({ model: "m", said: "The weather?" });
    expect(scriptOf(entry, [])).toMatchObject({
      when: { user: { equals: "The weather?" } },
      reply: { content: "Let me look.", toolCalls: [{ name: "look", arguments: {} }] },
    });
  }
});

test.each([false, true])(
  "the journal finds the response that another goes on from, by its id or its items (stream: %s)",
  async (stream) => {
    const emulator = await emulatorWith(chats);
    const send = stream ? eventsOf : ask;
    await send(emulator, request);
    const [first] = emulator.journal.list();
    const [id = ""] = first?.conversation?.to.filter((state) => state.startsWith("resp_")) ?? [];
    const call = { type: "function_call", call_id: "call_1", name: "look", arguments: "{ }" };
    const output = { type: "function_call_output", call_id: "call_1", output: "Sunny." };
    const said = { role: "assistant", content: "Let me look." };
    const stored = await ask(emulator, undefined, `/v1/responses/${id}`);
    const items: readonly JsonObject[] = stored.body.output;
    const callId = items.find(({ type }) => type === call.type)?.["call_id"];
    const given = { ...output, call_id: callId };
    await send(emulator, { ...request, previous_response_id: id, input: [given] });
    const whole = [{ role: "user", content: request.input }, said, { ...call, call_id: callId }];
    await send(emulator, { ...request, input: [...whole, given] });
    const places = emulator.journal.list().map(({ conversation }) => conversation);
    const later = places.filter((place) => place?.hasResults);
    expect(
      later.map((place) => place?.from.some((state) => places[0]?.to.includes(state))),
    ).toEqual([true, true]);
  },
);
