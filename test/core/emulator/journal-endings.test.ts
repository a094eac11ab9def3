import { expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/index.ts";
import { startServer } from "../../../src/fronts/node/server.ts";

const pace = { gapMs: 5, by: "word" } as const;
const chats = [
  { name: "whole", reply: { content: "one two" } },
  ...["cut", "stall", "malformed", "duplicate", "error"].map((kind) => ({
    name: kind,
    reply: { content: "one two", pace, fault: { kind, afterChunks: 2 } },
  })),
  { name: "reset", reply: { content: "one two", pace, fault: { kind: "reset", afterChunks: 2 } } },
  ...["hang", "noFinish", "noDone"].map((kind) => ({
    name: kind,
    reply: { content: "one two", pace, fault: { kind } },
  })),
  { name: "early", reply: { content: "one two", fault: { kind: "reset" } } },
  { name: "slow", reply: { content: "one two", pace: { gapMs: 60_000, by: "word" } } },
  { name: "refused", reply: { error: { status: 429, message: "Slow down." } } },
].map(({ name, reply }) => ({ name, when: { user: { equals: name } }, reply }));

const fixtures = { tables: { users: [{ id: 1, name: "Ada" }] }, chats };

type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

/** Those that a client leaves, and the frames that it waits for. */
const left: ReadonlyMap<string, readonly [stream: number, json: number]> = new Map([
  ["hang", [0, 0]],
  ["slow", [1, 0]],
  ["stall", [2, 1]],
]);

/** Asks, and reads to the end if there is one. */
async function chat(
  emulator: Emulator,
  fetch: Fetch,
  user: string,
  stream: boolean,
): Promise<void> {
  const body = JSON.stringify({ model: "x", stream, messages: [{ role: "user", content: user }] });
  const headers = { "content-type": "application/json", authorization: "Bearer k" };
  const leaving = new AbortController();
  const { signal } = leaving;
  const asked = fetch("/v1/chat/completions", { method: "POST", headers, body, signal })
    .then((response) => response.text())
    // A broken answer is one.
    .catch(() => undefined);
  const frames = left.get(user)?.[stream ? 0 : 1];
  if (frames !== undefined) {
    const isSent = (): boolean => {
      const last = emulator.journal.list().at(-1);
      return last?.ended === "pending" && last.answeredBy !== null && last.chunksSent >= frames;
    };
    await expect.poll(isSent).toBe(true);
    leaving.abort();
  }
  await asked;
  await expect.poll(() => emulator.journal.list().at(-1)?.ended).not.toBe("pending");
}

const cases: readonly (readonly [user: string, stream: string, json: string])[] = [
  ["whole", "complete", "complete"],
  ["cut", "cut", "cut"],
  ["reset", "reset", "reset"],
  ["early", "reset", "reset"],
  ["stall", "stalled", "stalled"],
  ["hang", "hung", "hung"],
  ["malformed", "malformed", "malformed"],
  ["duplicate", "malformed", "complete"],
  ["noFinish", "noFinish", "noFinish"],
  ["noDone", "noFinish", "complete"],
  ["error", "refused", "refused"],
  ["slow", "aborted", "aborted"],
  ["refused", "refused", "refused"],
];

test.for(cases)("says how an answer of the kind %s ended", async ([user, stream, json]) => {
  const emulator = await createEmulator({ fixtures });
  const { url, close } = await startServer(emulator, { port: 0 });
  const overNetwork: Fetch = (path, init) => fetch(url + path, init);
  for (const ask of [emulator.fetch, overNetwork]) {
    emulator.journal.clear();
    await chat(emulator, ask, user, true);
    await chat(emulator, ask, user, false);
    expect(emulator.journal.list().map(({ ended }) => ended)).toEqual([stream, json]);
  }
  await close();
});
