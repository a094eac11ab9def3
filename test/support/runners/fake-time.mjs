// What a test with fake timers sees of each kind of answer. Every runner runs it, with its own fake timers.
import { setImmediate, setTimeout } from "node:timers";

/** How long an answer takes by itself, in real time. */
const shortMs = 1_000;

/** How long it takes by timers that a test moves on: real timers would not bring it while the test runs. */
const longMs = 600_000;
const long = "at length: ";

const scriptsOf = (before, ms) => [
  {
    when: { user: `${before}pace` },
    reply: { content: "one two", pace: { gapMs: ms, by: "word" } },
  },
  { when: { user: `${before}wait` }, reply: { chunks: ["one", { wait: ms }, "two"] } },
  {
    when: { user: `${before}stall` },
    reply: { chunks: ["one", { wait: ms }, "two", { fault: "stall" }] },
  },
  { when: { user: `${before}first` }, reply: { content: "two", pace: { firstTokenMs: ms } } },
  { when: { user: `${before}whole` }, reply: { content: "two", pace: { firstTokenMs: ms } } },
  { when: { user: `${before}late head` }, reply: { content: "two", pace: { headersMs: ms } } },
  { when: { user: `${before}late body` }, reply: { content: "two", pace: { headersMs: ms } } },
];

const scripts = [...scriptsOf(long, longMs), ...scriptsOf("", shortMs)];

export const fixtures = { tables: { users: [{ id: 1, name: "two" }] }, chats: scripts };

/** The kinds of answers that take time. Of some, nothing comes before. */
const begun = ["pace", "wait", "stall"];
const late = ["first", "whole", "late head", "late body", "latency"];
export const kinds = [...begun, ...late];

/** Asks for an answer of a kind, and collects its text as it comes. */
export function ask(emulator, kind, before = "") {
  const leaving = new AbortController();
  const seen = { text: "", isOver: false, leave: () => leaving.abort() };
  void read(seen, request(emulator, kind, { before, signal: leaving.signal })).catch(
    () => undefined,
  );
  return seen;
}

function request(emulator, kind, { before, signal }) {
  if (kind === "latency") {
    emulator.faults.add({ delayMs: before === long ? longMs : shortMs, times: 1 });
    return emulator.fetch("/rest/users", { signal });
  }
  return emulator.fetch("/v1/chat/completions", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "m",
      stream: !["whole", "late body"].includes(kind),
      messages: [{ role: "user", content: before + kind }],
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
  const seen = ask(emulator, kind, long);
  if (begun.includes(kind)) await until(() => seen.text.includes("one"));
  await settle();
  await advance(longMs - 1);
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
