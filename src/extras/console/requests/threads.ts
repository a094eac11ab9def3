import type { ConversationPlace } from "../../../core/chat/forms/conversation-place.ts";
import type { JournalSummary } from "../../../core/emulator/journal/entry.ts";
import { entryKey } from "./summary.ts";

/** The requests of one conversation. */
export interface Thread {
  /** The number of the conversation, from 0, in the order in which the page learnt of conversations. */
  readonly index: number;
  /** The steps in the order in which the page learnt of them. */
  readonly steps: readonly Step[];
}

/** A step of a conversation: a request, and its repetitions after it had failed. */
export interface Step {
  readonly thread: Thread;
  /** The step's number, from 1. */
  readonly number: number;
  /** The attempts in order. The last one decides what came of the step. */
  readonly attempts: readonly Attempt[];
  /** The step whose answer this one continues; undefined for the first. */
  readonly before: Step | undefined;
}

/** A request of a conversation. */
export interface Attempt {
  /** The request as it is known now. */
  readonly entry: JournalSummary;
  readonly step: Step;
  /** The attempt's number, from 1. */
  readonly number: number;
}

/** All requests of a conversation, by steps. */
export function attemptsIn({ steps }: Thread): readonly Attempt[] {
  return steps.flatMap(({ attempts }) => attempts);
}

/** A conversation that may still grow. */
interface OpenStep extends Step {
  readonly thread: { readonly index: number; readonly steps: OpenStep[] };
  readonly attempts: OpenAttempt[];
  readonly before: OpenStep | undefined;
  isContinued: boolean;
}

interface OpenAttempt extends Attempt {
  entry: JournalSummary;
  readonly step: OpenStep;
}

/**
 * Finds the requests that belong to one conversation. Only requests that are new or have changed are looked at, since a
 * list has tens of thousands.
 */
export class Threads {
  /** The requests that were taken last. */
  #entries: readonly JournalSummary[] = [];
  /**
   * The known chats, by the keys of requests. A request of which it is not known yet whether it is a chat is not among
   * them.
   */
  #known = new Map<string, OpenAttempt>();
  /** The requests that lead to a state. */
  #leading = new Map<string, OpenAttempt[]>();
  /** The last request with each body. */
  #sent = new Map<string, OpenAttempt>();
  /** How many conversations have begun. */
  #begun = 0;

  /** Takes the requests of a list, in order of arrival. */
  take(entries: readonly JournalSummary[]): void {
    const lost = lostAtStart(this.#entries, entries);
    if (lost === undefined || this.#known.size > entries.length * mostKnown) this.#startOver();
    const before = this.#entries;
    let place = lost ?? 0;
    for (const entry of entries) if (entry !== before[place++]) this.#add(entry);
    this.#entries = entries;
  }

  /** The place of a request in its conversation; undefined if it has none. */
  attemptOf(entry: JournalSummary): Attempt | undefined {
    return this.#known.get(entryKey(entry));
  }

  #startOver(): void {
    this.#entries = [];
    this.#known = new Map();
    this.#leading = new Map();
    this.#sent = new Map();
    this.#begun = 0;
  }

  #add(entry: JournalSummary): void {
    if (entry.conversation === null) return;
    const key = entryKey(entry);
    let attempt = this.#known.get(key);
    if (attempt === undefined) {
      attempt = this.#placed(entry, entry.conversation);
      this.#known.set(key, attempt);
    } else if (attempt.entry.conversation !== entry.conversation) {
      this.#forgetStates(attempt);
      this.#noteStates(attempt, entry.conversation);
    }
    attempt.entry = entry;
  }

  /** Finds the place of a request. */
  #placed(entry: JournalSummary, conversation: ConversationPlace): OpenAttempt {
    const sent = inSession(entry, conversation.sent);
    const earlier = this.#sent.get(sent);
    const isAgain = earlier !== undefined && isRetry(entry, earlier);
    const step = isAgain ? earlier.step : this.#newStep(this.#stepBefore(entry, conversation));
    const attempt = { entry, step, number: step.attempts.length + 1 };
    step.attempts.push(attempt);
    this.#sent.set(sent, attempt);
    this.#noteStates(attempt, conversation);
    return attempt;
  }

  #newStep(before: OpenStep | undefined): OpenStep {
    const thread = before?.thread ?? { index: this.#begun++, steps: [] };
    const number = thread.steps.length + 1;
    const step = { thread, number, attempts: [], before, isContinued: false };
    if (before !== undefined) before.isContinued = true;
    thread.steps.push(step);
    return step;
  }

  /**
   * The step that a request continues. If several led to the same state, as when one conversation is held twice, it is
   * the last one that no request continues yet.
   */
  #stepBefore(request: JournalSummary, { from }: ConversationPlace): OpenStep | undefined {
    for (const state of from) {
      const all = this.#leading.get(inSession(request, state)) ?? [];
      const earlier = all.filter(({ entry }) => entry.at <= request.at);
      const found = earlier.findLast(({ step }) => !step.isContinued) ?? earlier.at(-1);
      if (found !== undefined) return found.step;
    }
    return undefined;
  }

  #noteStates(attempt: OpenAttempt, { to }: ConversationPlace): void {
    for (const state of to) {
      const name = inSession(attempt.entry, state);
      const others = this.#leading.get(name);
      if (others === undefined) this.#leading.set(name, [attempt]);
      else others.push(attempt);
    }
  }

  /** Forgets the states that a request leads to. These change when its answer is whole. */
  #forgetStates(attempt: OpenAttempt): void {
    for (const state of attempt.entry.conversation?.to ?? []) {
      const name = inSession(attempt.entry, state);
      const all = this.#leading.get(name) ?? [];
      this.#leading.set(
        name,
        all.filter((one) => one !== attempt),
      );
    }
  }
}

/**
 * How many requests may be known for each listed one. Beyond this ratio, everything is read again, so that dropped
 * requests are forgotten.
 */
const mostKnown = 1.1;

/**
 * How many requests a list has lost at its beginning since it was `before`. Undefined if the list does not continue
 * `before`, as when it was emptied, or earlier requests have been read.
 */
function lostAtStart(
  before: readonly JournalSummary[],
  [first]: readonly JournalSummary[],
): number | undefined {
  const at = before.findIndex((entry) => entry.id === first?.id && entry.at === first.at);
  return at === -1 ? undefined : at;
}

/** A name that is unique over all sessions. */
function inSession({ session }: JournalSummary, name: string): string {
  return session === null ? name : `${name} ${session}`;
}

/** Times are rounded to milliseconds. */
const roundingMs = 1;

/**
 * Whether a request repeats an earlier one that failed. Many clients say so themselves. A client that counts from
 * zero again begins something new, unless the request goes on from an answer.
 */
function isRetry({ at, retryCount }: JournalSummary, { entry, step }: Attempt): boolean {
  if (entry.ended === "pending" || entry.ended === "complete") return false;
  if (retryCount !== null && (retryCount > 0 || step.before === undefined)) return retryCount > 0;
  return Date.parse(entry.at) + entry.durationMs <= Date.parse(at) + roundingMs;
}
