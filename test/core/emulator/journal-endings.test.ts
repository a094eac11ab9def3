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
  ["duplicate", "duplicated", "complete"],
  ["noFinish", "noFinish", "noFinish"],
  ["noDone", "noFinish", "complete"],
  ["error", "failed", "refused"],
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

test.each([
  ["cut", 2, "fault cut after 2 chunks"],
  ["malformed", 2, "fault malformed after 2 chunks"],
  ["duplicate", 2, "fault duplicate after 2 chunks"],
  ["error", 2, "fault error after 2 chunks"],
  ["noDone", null, undefined],
] as const)(
  "names the fault %s with its place, as afterChunks counts",
  async (user, place, problem) => {
    const emulator = await createEmulator({ fixtures });
    await chat(emulator, emulator.fetch, user, true);
    const [entry] = emulator.journal.list();
    expect(entry?.brokenBy).toEqual({ kind: user, afterChunks: place });
    if (problem !== undefined) expect(entry?.problem).toBe(problem);
  },
);

test("counts no comment as a chunk, wherever a stream broke", async () => {
  const chunks = [{ comment: "ping" }, "One", { comment: "ping" }, " two", { fault: "cut" }, "."];
  const emulator = await createEmulator({
    fixtures: { chats: [{ name: "a", reply: { chunks } }] },
  });
  await chat(emulator, emulator.fetch, "a", true);
  const [entry] = emulator.journal.list();
  expect(entry).toMatchObject({
    chunksSent: 5,
    problem: "fault cut after 3 chunks",
    brokenBy: { kind: "cut", afterChunks: 3 },
  });
});
