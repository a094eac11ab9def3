import type { Answer } from "./client.ts";

/** Something that was not planned. */
export class Surprise extends Error {}

/** Throws a `Surprise` that says what came, unless it is so. */
export function expect(isSo: boolean, what: string, answer?: Answer): asserts isSo {
  if (isSo) return;
  const shown =
    answer === undefined ? "" : `: ${answer.status}, ${answer.end}, ${answer.text.slice(0, 300)}`;
  throw new Surprise(`expected ${what}${shown}`);
}

/** What replies have that the visitors look at. What is not there shows when it is compared. */
export interface Body {
  readonly result: readonly { readonly id: number; readonly price: number }[] & {
    readonly data: { readonly id: number };
  };
  readonly code: string;
  readonly choices: readonly [{ readonly message: { readonly content: string } }];
  readonly error: { readonly param: string };
  readonly requests: readonly { readonly session: string; readonly path: string }[];
  readonly sessions: readonly { readonly id: string }[];
  readonly length: number;
}

/** The reply's body, which has to be whole and have this status. */
export function bodyOf(answer: Answer, status: number): Body {
  expect(answer.status === status && answer.end === "whole", `a whole ${status}`, answer);
  try {
    return JSON.parse(answer.text);
  } catch {
    throw new Surprise(`expected JSON: ${answer.text}`);
  }
}

/** Looks that it is done, without a body. */
export function expectDone(answer: Answer): void {
  const isDone = answer.status === 204 && answer.end === "whole" && answer.text === "";
  expect(isDone, "a 204", answer);
}

/** Data of a stream's events, in order. */
export function eventsOf(answer: Answer): readonly string[] {
  const lines = answer.text.split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line) => line.slice("data: ".length));
}
