import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";

test("the journal shows half of a character as one that is replaced", async () => {
  const chunks = [{ raw: "data: " }, { base64: "8J+R" }, { base64: "iwoK" }, "Yes."];
  const emulator = await createEmulator({
    auth: false,
    fixtures: { chats: [{ reply: { chunks } }] },
  });
  const answer = await emulator.fetch("/v1/chat/completions", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }], stream: true }),
  });
  expect(await answer.text()).toContain("data: 👋\n\n");
  const frames = emulator.journal.list()[0]?.response?.frames ?? [];
  expect(frames.slice(0, 3).map(({ data }) => data)).toEqual(["data: ", "\ufffd", "\ufffd\n\n"]);
  expect(emulator.snapshot()).toBeDefined();
});
