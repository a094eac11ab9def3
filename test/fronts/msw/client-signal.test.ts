import http from "node:http";
import { setupServer } from "msw/node";
import { expect, onTestFinished, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { handlers } from "../../../src/fronts/msw/index.ts";

test.each(["hang", "stall"])(
  "says of a client of node:http that it left a %s, also through msw",
  async (kind) => {
    const reply = { content: "one two", fault: { kind } };
    const emulator = await createEmulator({ fixtures: { chats: [{ reply }] }, auth: false });
    const server = setupServer(...handlers(emulator));
    server.listen();
    onTestFinished(() => server.close());
    const asked = http.request("http://service.test/v1/chat/completions", { method: "POST" });
    asked.on("error", () => undefined);
    asked.end('{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}]}');
    const lastAnswer = (): unknown => emulator.journal.list().at(-1)?.answeredBy;
    await expect.poll(lastAnswer).toEqual(expect.any(String));
    asked.destroy();
    await expect
      .poll(() => emulator.journal.list())
      .toMatchObject([{ ended: kind === "hang" ? "hung" : "stalled", aborted: true }]);
  },
);
