// What a test with fake timers sees of each kind of answer. Every runner runs it, with its own fake timers.
import { setImmediate, setTimeout } from "node:timers";

const stepMs = 1_000;

const scripts = [
  { when: { user: "pace" }, reply: { content: "one two", pace: { gapMs: stepMs, by: "word" } } },
  { when: { user: "wait" }, reply: { chunks: ["one", { wait: stepMs }, "two"] } },
  {
    when: { user: "stall" },
    reply: { chunks: ["one", { wait: stepMs }, "two", { fault: "stall" }] },
  },
  { when: { user: "first" }, reply: { content: "two", pace: { firstTokenMs: stepMs } } },
  { when: { user: "whole" }, reply: { content: "two", pace: { firstTokenMs: stepMs } } },
];

export const fixtures = { tables: { users: [{ id: 1, name: "two" }] }, chats: scripts };

/** The kinds of answers that take time. */
export const kinds = ["pace", "wait", "stall", "first", "whole", "latency"];

/** Asks for an answer of a kind, and collects its text as it comes. */
export function ask(emulator, kind) {
  const leaving = new AbortController();
  const seen = { text: "", isOver: false, leave: () => leaving.abort() };
  void read(seen, request(emulator, kind, leaving.signal)).catch(() => undefined);
  return seen;
}

function request(emulator, kind, signal) {
  if (kind === "latency") {
    emulator.faults.add({ delayMs: stepMs, times: 1 });
    return emulator.fetch("/rest/users", { signal });
  }
  return emulator.fetch("/v1/chat/completions", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "m",
      stream: kind !== "whole",
      messages: [{ role: "user", content: kind }],
    }),
    signal,
  });
}

async function read(seen, response) {
  const decoder = new TextDecoder();
  for await (const part of (await response).body) seen.text += decoder.decode(part);
  seen.isOver = true;
}

/** Lets everything run that is due, in real time. */
export async function settle() {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => void setImmediate(resolve));
}

/** Waits in real time until something holds. */
export async function until(holds) {
  for (let count = 0; !holds(); count++) {
    if (count > 3_000) throw new Error("It did not come within 30 s.");
    await new Promise((resolve) => void setTimeout(resolve, 10));
  }
}

/** Checks that an answer comes when the time is moved on to it, and not before. */
export async function comesInTime(emulator, kind, advance) {
  const seen = ask(emulator, kind);
  if (!["first", "whole", "latency"].includes(kind)) await until(() => seen.text.includes("one"));
  await settle();
  await advance(stepMs - 1);
  await settle();
  if (seen.text.includes("two")) throw new Error(`It came too early: ${seen.text}`);
  await advance(1);
  await until(() => seen.text.includes("two"));
  await settle();
  if (kind !== "stall") await until(() => seen.isOver);
  else if (seen.isOver) throw new Error("It has ended.");
  seen.leave();
}

/** Checks that an answer comes by itself, in real time. */
export async function comesByItself(emulator, kind) {
  const seen = ask(emulator, kind);
  await until(() => seen.text.includes("two"));
  seen.leave();
}

/** Checks that the live requests tell of a request at once, whatever the timers. */
export async function isToldLive(emulator) {
  const leaving = new AbortController();
  const seen = { text: "" };
  void read(seen, emulator.fetch("/__backlot/requests/live", { signal: leaving.signal })).catch(
    () => undefined,
  );
  await until(() => seen.text.includes("retry"));
  await emulator.fetch("/rest/users");
  await until(() => seen.text.includes("/rest/users"));
  leaving.abort();
}
