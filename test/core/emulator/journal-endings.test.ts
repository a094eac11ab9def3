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

/** Asks and reads what comes, until the client has waited for so long. */
async function chat(fetch: Fetch, user: string, stream: boolean): Promise<void> {
  const body = JSON.stringify({ model: "x", stream, messages: [{ role: "user", content: user }] });
  const headers = { "content-type": "application/json", authorization: "Bearer k" };
  const signal = AbortSignal.timeout(300);
  try {
    const response = await fetch("/v1/chat/completions", { method: "POST", headers, body, signal });
    await response.text();
  } catch {
    // A broken answer is one.
  }
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

async function ended({ journal }: Emulator): Promise<readonly unknown[]> {
  const read = (): readonly unknown[] => journal.list().map((entry) => entry.ended);
  await expect.poll(read).not.toContain("pending");
  return read();
}

test.for(cases)("says how an answer of the kind %s ended", async ([user, stream, json]) => {
  const emulator = await createEmulator({ fixtures });
  const { url, close } = await startServer(emulator, { port: 0 });
  const overNetwork: Fetch = (path, init) => fetch(url + path, init);
  for (const ask of [emulator.fetch, overNetwork]) {
    emulator.journal.clear();
    await chat(ask, user, true);
    await chat(ask, user, false);
    expect(await ended(emulator)).toEqual([stream, json]);
  }
  await close();
});
