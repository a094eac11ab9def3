import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../../../src/fronts/node/server.ts";
import { createEmulator } from "../../../src/index.ts";
import { limitTime } from "../../../src/fronts/node/time-limit.ts";

test("ends an expression that would try for ever, and gives what others come to", () => {
  const endless = `${"a".repeat(60)}!`;
  expect(limitTime(() => /^(?=a)(a+)+$/.test("aaa"))).toBe(true);
  expect(() =>
    limitTime(() => {
      throw new TypeError("its own");
    }),
  ).toThrow("its own");
  // Last: what comes soon after it gets a few milliseconds only.
  expect(limitTime(() => /^(?=a)(a+)+$/.test(endless))).toBeUndefined();
});

test("tells the log, once, and the journal of an expression that took too long", async () => {
  const when = { user: { regex: "^(?=a)(a+)+$" } };
  const chats = [{ name: "endless", when, reply: { content: "a" } }];
  const warnings: string[] = [];
  const observer = { warned: (message: string): void => void warnings.push(message) };
  const emulator = await createEmulator({ fixtures: { chats }, auth: false, observer });
  const server = await startServer(emulator, { port: 0 });
  onTestFinished(server.close);
  const messages = [{ role: "user", content: `${"a".repeat(60)}!` }];
  for (let time = 0; time < 2; time++) {
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ model: "m", messages }),
    });
    expect(response.status).toBe(200);
  }
  const misses = emulator.core.sessions.base.journal.list().map((entry) => entry.misses);
  const near = expect.stringContaining("took too long");
  const missed = [expect.objectContaining({ failures: [expect.objectContaining({ near })] })];
  expect(misses).toEqual([missed, missed]);
  expect(warnings).toEqual([expect.stringContaining("/^(?=a)(a+)+$/ took too long")]);
});
