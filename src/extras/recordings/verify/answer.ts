import type { ServerSentEvent } from "../event-stream.ts";

/** How an answer ended: as it should, by a broken connection, not at all in the time that it had, or cut off by us. */
export type AnswerEnd = "close" | "reset" | "hang" | "too-long";

/** What a body is, as far as it is compared. */
export type AnswerBody =
  | { readonly kind: "none" }
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "events"; readonly events: readonly ServerSentEvent[] }
  | { readonly kind: "text" }
  | { readonly kind: "bytes" };

/** What was answered, by the service or by the emulator. */
export interface Answer {
  /** 0: nothing came, not even a head. `end` tells how. */
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: AnswerBody;
  readonly end: AnswerEnd;
}

/** An answer without a head. */
export function noHead(end: AnswerEnd): Answer {
  return { status: 0, headers: new Map(), body: { kind: "none" }, end };
}
