import {
  type Answer,
  type AnswerBody,
  comparedEvent,
} from "../../../../src/extras/recordings/verify/answer.ts";
import {
  type Compared,
  compareAnswers,
  type CompareRules,
} from "../../../../src/extras/recordings/verify/compare.ts";
import { readPlace } from "../../../../src/core/recordings/recording-path.ts";
import { readEvents } from "../../../../src/extras/recordings/event-stream.ts";

/** An answer of JSON. */
export function jsonAnswer(value: unknown, more: Partial<Answer> = {}): Answer {
  return answer({ kind: "json", value }, "application/json", more);
}

/** An event stream of these events; what is no text becomes JSON. */
export function streamAnswer(events: readonly unknown[], more: Partial<Answer> = {}): Answer {
  const texts = events.map((event) => (typeof event === "string" ? event : JSON.stringify(event)));
  const text = texts.map((data) => `data: ${data}\n\n`).join("");
  const compared = readEvents(text).map(comparedEvent);
  return answer({ kind: "events", events: compared }, "text/event-stream", more);
}

function answer(body: AnswerBody, type: string, more: Partial<Answer>): Answer {
  return { status: 200, headers: new Map([["content-type", type]]), body, end: "close", ...more };
}

/** Compares as where nothing is declared. */
export function compare(
  service: Answer,
  emulator: Answer,
  rules: Partial<Omit<CompareRules, "stable" | "volatile">> & {
    readonly stable?: readonly string[];
    readonly volatile?: readonly string[];
  } = {},
): Compared {
  const { stable = [], volatile = [], isRedacted = () => false, ...same } = rules;
  const places = { stable: stable.map(readPlace), volatile: volatile.map(readPlace) };
  return compareAnswers({ service, emulator }, { ...same, ...places, isRedacted });
}

/** A chunk of a completion. */
export function chunk(delta: object | null, more: object = {}): object {
  const choices = delta === null ? [] : [{ index: 0, delta, finish_reason: null }];
  return { object: "chat.completion.chunk", choices, ...more };
}
