import type { JournalSummary } from "../../../core/emulator/journal/entry.ts";
import { counted } from "../../../core/errors/show.ts";
import { endings } from "../parts/stream.ts";
import { type Attempt, attemptsIn, type Step, type Thread } from "./threads.ts";
import { takenMs } from "./use-requests.ts";

/** The title of a conversation: the user's first words. */
export function titleOf({ steps: [first] }: Thread): string {
  return first?.attempts[0]?.entry.conversation?.title || "no user message";
}

/** How long a conversation is: `3 steps`, `2 turns, 5 steps`, and how many of its requests a filter hides. */
export function lengthOf(thread: Thread, listed: readonly Attempt[]): string {
  const { steps } = thread;
  const turns = steps.filter(beginsTurn).length;
  const hidden = attemptsIn(thread).length - listed.length;
  return [
    turns > 1 ? counted(turns, "turn") : "",
    turns > 1 && turns === steps.length ? "" : counted(steps.length, "step"),
    hidden > 0 ? `${hidden} hidden` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** How often requests of a conversation were sent again because they had failed. */
export function retriesIn(thread: Thread): number {
  return attemptsIn(thread).length - thread.steps.length;
}

/** Whether a step begins with the user's words, and not with the results of tools. */
export function beginsTurn({ attempts: [first] }: Step): boolean {
  return first?.entry.conversation?.hasResults !== true;
}

/** The last attempt of the step that ended worst; of several equally bad ones, the last. */
export function worstOf({ steps }: Thread): JournalSummary | undefined {
  const ends = steps.flatMap(({ attempts }) => attempts.slice(-1).map(({ entry }) => entry));
  const worst = Math.max(...ends.map(badness));
  return ends.findLast((entry) => badness(entry) === worst);
}

/** The tones of endings, from the best to the worst. */
const tones: readonly string[] = ["", "muted", "warn", "bad"];

function badness({ ended, status }: JournalSummary): number {
  const { tone } = endings[ended];
  return tones.indexOf(ended === "refused" && status >= 500 ? "bad" : tone);
}

/** How long all requests of a conversation took together, in milliseconds. */
export function takenIn(thread: Thread): number {
  return attemptsIn(thread).reduce((sum, { entry }) => sum + takenMs(entry), 0);
}

/** The scripts, faults and recordings that answered in a conversation, each once. */
export function answerersIn(thread: Thread): string {
  const names = attemptsIn(thread).flatMap(({ entry: { script, fault, recording } }) => {
    const name = script ?? fault ?? recording?.cassette;
    return name === undefined ? [] : [name];
  });
  return [...new Set(names)].join(", ");
}

/**
 * What came of a step: the tools that its answer calls, or that it was answered. Empty where the badge says it all.
 */
export function outcomeOf({ conversation, ended }: JournalSummary): string {
  const calls = conversation?.calls ?? [];
  if (calls.length > 0) return `called ${calls.join(", ")}`;
  return ended === "complete" ? "answered" : "";
}

/** The tools whose results a step sends. */
export function resultsIn({ before }: Step): string {
  const calls = before?.attempts.at(-1)?.entry.conversation?.calls ?? [];
  return calls.length === 0 ? "results of tools" : `results of ${calls.join(", ")}`;
}

/** Whether a request of a conversation is under way. */
export function isUnderWay(thread: Thread): boolean {
  return attemptsIn(thread).some(({ entry }) => entry.ended === "pending");
}
