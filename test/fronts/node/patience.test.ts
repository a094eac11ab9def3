import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Server } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { serve } from "../../support/served.ts";

const paced = {
  chats: [{ reply: { content: "one two three", pace: { gapMs: 20, by: "word" } } }],
};

function ask(): RequestInit {
  const messages = [{ role: "user", content: "x" }];
  return {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", stream: true, messages }),
  };
}

test("a client has 60 s for a head and 300 s for a body, and a kept connection 75 s", async () => {
  await using served = await serve(paced, { auth: false });
  const servers: Server[] = [];
  const note = (message: unknown): void =>
    void servers.push((message as { readonly server: Server }).server);
  subscribe("http.server.request.start", note);
  onTestFinished(() => void unsubscribe("http.server.request.start", note));
  await served.fetch("/v1/models");
  expect(servers[0]).toMatchObject({
    headersTimeout: 60_000,
    requestTimeout: 300_000,
    keepAliveTimeout: 75_000,
  });
});

test.each([-1, 1])("a stream goes on while the time of day jumps by %i day", async (days) => {
  await using served = await serve(paced, { auth: false });
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const response = await served.fetch("/v1/chat/completions", ask());
  vi.setSystemTime(Date.now() + days * 86_400_000);
  expect(await response.text()).toContain("[DONE]");
});

test("what waits for an hour does not come because the time of day has jumped", async () => {
  const reply = { chunks: ["first", { wait: 3_600_000 }, "second"] };
  await using served = await serve({ chats: [{ reply }] }, { auth: false });
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const left = new AbortController();
  const response = await served.fetch("/v1/chat/completions", { ...ask(), signal: left.signal });
  vi.setSystemTime(Date.now() + 7_200_000);
  let text = "";
  const reading = response.body?.pipeTo(
    new WritableStream({ write: (part) => void (text += new TextDecoder().decode(part)) }),
  );
  // Whoever is asked later is answered, so the timers of the server have had their turn.
  for (let turn = 0; turn < 20; turn++) await served.fetch("/v1/models");
  expect(text).toContain("first");
  expect(text).not.toContain("second");
  left.abort();
  await reading?.catch(() => undefined);
});
