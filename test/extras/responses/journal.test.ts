import { expect, test } from "vitest";
import { scriptOf } from "../../../src/extras/console/requests/script-of.ts";
import { askedChat } from "../../../src/extras/console/requests/summary.ts";
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
