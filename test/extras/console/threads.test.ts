import { expect, test } from "vitest";
import type { ConversationPlace } from "../../../src/core/chat/forms/conversation-place.ts";
import type { JournalSummary } from "../../../src/core/emulator/journal/entry.ts";
import {
  type GridLine,
  isStep,
  isThread,
  lineOf,
  requestOf,
  threadKey,
  withThreads,
} from "../../../src/extras/console/requests/thread-lines.ts";
import { lengthOf, worstOf } from "../../../src/extras/console/requests/thread-words.ts";
import { Threads } from "../../../src/extras/console/requests/threads.ts";
import { entry } from "../../core/control/controlled.ts";

let arrived = 0;

/** A chat that arrives after those before it. The states of a conversation are written as what was said: `a b`. */
function chat(
  said: string,
  to: readonly string[],
  more: Partial<JournalSummary> & { readonly from?: readonly string[] } = {},
): JournalSummary {
  const { from = [said.slice(0, Math.max(0, said.lastIndexOf(" ")))], ...rest } = more;
  const conversation: ConversationPlace = {
    title: said,
    answers: 0,
    hasResults: false,
    calls: [],
    sent: said,
    from: from.filter((state) => state !== ""),
    to,
  };
  arrived++;
  const at = new Date(1_700_000_000_000 + arrived * 1000).toISOString();
  return entry({ id: String(arrived), at, interface: "chat", conversation, ...rest });
}

/** The threads of requests: of each its steps, with the ids of their attempts as numbers of the list, from 0. */
function threadsOf(
  entries: readonly JournalSummary[],
  threads: Threads = new Threads(),
): readonly (readonly (readonly number[])[])[] {
  threads.take(entries);
  const found = new Set(entries.map((one) => threads.attemptOf(one)?.step.thread));
  found.delete(undefined);
  return [...found].map((thread) =>
    (thread?.steps ?? []).map(({ attempts }) =>
      attempts.map((attempt) => entries.indexOf(attempt.entry)),
    ),
  );
}

function threeSteps(session: string | null): readonly JournalSummary[] {
  return [
    chat("a", ["a A"], { session }),
    chat("a A b", ["a A b B"], { session, from: ["a A"] }),
    chat("a A b B c", [], { session, from: ["a A b B", "a A"] }),
  ];
}

test("what goes on from an answer is the next step of its conversation, in any session by itself", () => {
  expect(threadsOf(threeSteps(null))).toEqual([[[0], [1], [2]]]);
  expect(threadsOf([...threeSteps("one"), ...threeSteps("two")])).toEqual([
    [[0], [1], [2]],
    [[3], [4], [5]],
  ]);
});

test("conversations that interleave are two, even where both begin alike", () => {
  const begun = [chat("a", ["a A"]), chat("x", ["x X"])];
  const later = [chat("a A b", [], { from: ["a A"] }), chat("x X b", [], { from: ["x X"] })];
  expect(threadsOf([...begun, ...later])).toEqual([
    [[0], [2]],
    [[1], [3]],
  ]);
  const alike = [chat("a", ["a A"]), chat("a", ["a A"])];
  const both = [chat("a A b", [], { from: ["a A"] }), chat("a A c", [], { from: ["a A"] })];
  expect(threadsOf([...alike, ...both])).toEqual([
    [[0], [3]],
    [[1], [2]],
  ]);
});

test("tables, models and chats that are not read yet are in no conversation", () => {
  const threads = new Threads();
  const others = [entry({ id: "1" }), entry({ id: "2", ended: "pending" })];
  expect(threadsOf(others, threads)).toEqual([]);
  expect(others.map((one) => threads.attemptOf(one))).toEqual([undefined, undefined]);
});

test.each([
  ["that was refused", { status: 429 }],
  ["that broke off", { ended: "cut" }],
  ["whose client left", { ended: "aborted" }],
] as const)("the same request after one %s is an attempt of its step", (_, failed) => {
  const entries = [
    chat("a", [], failed),
    chat("a", [], { ...failed, retryCount: 1 }),
    chat("a", ["a A"], { retryCount: null }),
    chat("a A b", [], { ...failed, from: ["a A"] }),
    chat("a A b", [], { from: ["a A"], retryCount: 0 }),
  ];
  expect(threadsOf(entries)).toEqual([
    [
      [0, 1, 2],
      [3, 4],
    ],
  ]);
});

test("the same request is no retry after a whole answer, beside one under way, or when its client counts from zero", () => {
  const whole = [chat("a", ["a A"]), chat("a", ["a A"])];
  expect(threadsOf(whole)).toEqual([[[0]], [[1]]]);
  const at = "2024-01-01T00:00:00.000Z";
  const beside = [
    chat("a", [], { at, status: 429, durationMs: 20 }),
    chat("a", [], { at: "2024-01-01T00:00:00.010Z" }),
  ];
  expect(threadsOf(beside)).toEqual([[[0]], [[1]]]);
  const anew = [chat("a", [], { status: 429 }), chat("a", [], { retryCount: 0 })];
  expect(threadsOf(anew)).toEqual([[[0]], [[1]]]);
});

test("an answer that is asked for again, and another way on, are steps that name where they go on from", () => {
  const entries = [
    chat("a", ["a A"]),
    chat("a A b", ["a A b B"], { from: ["a A"] }),
    chat("a A b", ["a A b C"], { from: ["a A"] }),
    chat("a A d", [], { from: ["a A"] }),
    chat("a A b B e", [], { from: ["a A b B", "a A"] }),
  ];
  expect(threadsOf(entries)).toEqual([[[0], [1], [2], [3], [4]]]);
  const threads = new Threads();
  threads.take(entries);
  expect(entries.map((one) => threads.attemptOf(one)?.step.before?.number)).toEqual([
    undefined,
    1,
    1,
    1,
    2,
  ]);
});

test("a list that grows and whose requests end gives the same threads as the whole list", () => {
  const threads = new Threads();
  const whole = [
    chat("a", ["a A"]),
    chat("a A b", ["a A b B"], { from: ["a A"] }),
    chat("a A b B c", [], { from: ["a A b B", "a A"] }),
  ];
  const [first, second, third] = whole;
  if (first === undefined || second === undefined || third === undefined) throw new Error("three");
  const pending = { ...first, ended: "pending", conversation: null } as const;
  expect(threadsOf([pending], threads)).toEqual([]);
  const begun = chat("a", ["a?"], { id: first.id, at: first.at, ended: "pending" });
  expect(threadsOf([begun], threads)).toEqual([[[0]]]);
  expect(threadsOf([first, second], threads)).toEqual([[[0], [1]]]);
  expect(threadsOf(whole, threads)).toEqual([[[0], [1], [2]]]);
  const other = chat("a?", [], { from: ["a?"] });
  expect(threadsOf([...whole, other], threads)).toEqual([[[0], [1], [2]], [[3]]]);
});

test("a list that was emptied, or begins earlier, is read anew", () => {
  const threads = new Threads();
  const entries = [chat("a", ["a A"]), chat("a A b", [], { from: ["a A"] })];
  expect(threadsOf(entries.slice(1), threads)).toEqual([[[0]]]);
  expect(threadsOf(entries, threads)).toEqual([[[0], [1]]]);
  expect(threadsOf([], threads)).toEqual([]);
  expect(threadsOf(entries.slice(1), threads)).toEqual([[[0]]]);
});

test("a list that loses its oldest requests goes on, and forgets them now and then", () => {
  const entries = Array.from({ length: 100 }, (_, index) =>
    chat(`a${index}`, [`a${index}`], { from: index === 0 ? [] : [`a${index - 1}`] }),
  );
  const threads = new Threads();
  threads.take(entries.slice(0, 50));
  const known = (): number => {
    const [last = entry({})] = entries.slice(-1);
    return threads.attemptOf(last)?.step.number ?? 0;
  };
  for (let lost = 1; lost <= 50; lost++) threads.take(entries.slice(lost, lost + 50));
  expect(known()).toBeGreaterThanOrEqual(50);
  expect(known()).toBeLessThanOrEqual(56);
});

/** A list as it is drawn: titles of requests and, in brackets, of conversations; steps are indented. */
function drawn(lines: readonly GridLine[]): readonly string[] {
  return lines.map((line) => {
    if ("divider" in line) return line.divider;
    if (isThread(line)) return `[${line.thread.steps.length}: ${line.listed.length}]`;
    const title = requestOf(line)?.conversation?.title ?? "other";
    return isStep(line) ? `  ${title}` : title;
  });
}

test("a conversation stands where its first listed request would, and its steps below it in order", () => {
  const [a = entry({}), b = entry({}), c = entry({})] = threeSteps(null);
  const alone = [chat("x", [], { status: 429 }), chat("x", ["x X"])];
  const all = [a, b, ...alone, c];
  const threads = new Threads();
  threads.take(all);
  const lines = [c, { divider: "reloaded" }, ...alone, b, a];
  const folded = withThreads(lines, threads, new Set());
  expect(drawn(folded)).toEqual(["[3: 3]", "reloaded", "x", "x"]);
  expect(lineOf(folded, b.id)).toBe(0);
  const thread = threads.attemptOf(a)?.step.thread ?? { index: 0, steps: [] };
  const open = new Set([threadKey(thread)]);
  const found = withThreads([...alone, b, a], threads, open);
  expect(drawn(found)).toEqual(["x", "x", "[3: 2]", "  a", "  a A b"]);
  expect(lineOf(found, b.id)).toBe(4);
});

test("the length of a conversation counts turns where there are several, and what a filter hides", () => {
  const run = threeSteps(null).map((one, index) =>
    entry({
      ...one,
      conversation: one.conversation && { ...one.conversation, hasResults: index === 1 },
    }),
  );
  const threads = new Threads();
  threads.take(run);
  const all = run.flatMap((one) => threads.attemptOf(one) ?? []);
  const thread = all[0]?.step.thread ?? { index: 0, steps: [] };
  expect(lengthOf(thread, all)).toBe("2 turns, 3 steps");
  expect(lengthOf(thread, all.slice(1))).toBe("2 turns, 3 steps, 1 hidden");
});

/** How the worst of three steps ended, each with something of its own. */
function worst(...steps: readonly Partial<JournalSummary>[]): readonly unknown[] {
  const entries = threeSteps(null).map((one, index) => entry({ ...one, ...steps[index] }));
  const threads = new Threads();
  threads.take(entries);
  const [thread] = entries.flatMap((one) => threads.attemptOf(one)?.step.thread ?? []);
  const found = thread && worstOf(thread);
  return [found?.status, found?.ended];
}

test("the worst ending of a conversation is that of a step's last attempt", () => {
  const good = { status: 200, ended: "complete" } as const;
  expect(worst(good, good, good)).toEqual([200, "complete"]);
  expect(worst({ status: 404, ended: "refused" }, good, good)).toEqual([404, "refused"]);
  expect(worst({ status: 404, ended: "refused" }, good, { status: 503, ended: "refused" })).toEqual(
    [503, "refused"],
  );
  expect(worst({ ended: "cut" }, good, { status: 404, ended: "refused" })).toEqual([200, "cut"]);
  const entries = [
    chat("a", [], { status: 500 }),
    chat("a", ["a A"]),
    chat("a A b", [], { from: ["a A"] }),
  ];
  const threads = new Threads();
  threads.take(entries);
  const [retried] = entries.flatMap((one) => threads.attemptOf(one)?.step.thread ?? []);
  expect(retried && worstOf(retried)?.status).toBe(200);
});
