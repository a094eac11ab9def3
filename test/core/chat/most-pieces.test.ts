import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";

test("a stream has at most 65,536 pieces, and all of its text", async () => {
  const content = Array.from({ length: 70_000 }, (_, at) => "abcdefghij"[at % 10]).join("");
  const reply = { content, pace: { by: 1 } };
  const emulator = await createEmulator({ fixtures: { chats: [{ reply }] }, speed: 0 });
  const response = await emulator.fetch("/v1/chat/completions", {
    method: "POST",
    headers: { authorization: "Bearer any", "content-type": "application/json" },
    body: JSON.stringify({
      model: "m",
      stream: true,
      messages: [{ role: "user", content: "x" }],
    }),
  });
  const pieces = [...(await response.text()).matchAll(/"content":"([a-j]+)"/g)];
  expect(pieces.length).toBeGreaterThan(10_000);
  expect(pieces.length).toBeLessThanOrEqual(65_536);
  expect(pieces.map(([, text = ""]) => text).join("") === content).toBe(true);
});
