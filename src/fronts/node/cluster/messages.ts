import type { Outcome } from "../../../core/emulator/exchange.ts";
import type { CallBody, CallHeaders } from "../../../core/http/call.ts";
import type { StreamEnd } from "../../../core/http/event-stream.ts";
import type { Reply, ReplyBody } from "../../../core/http/reply.ts";

/** A call as one worker sends it to another. */
export interface SentCall {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: CallHeaders;
  /** The address of whom it comes from. */
  readonly peer: string | undefined;
  /** Undefined: it follows when it is asked for. */
  readonly body: CallBody | undefined;
}

/** A reply as it is sent back: all of it is data, save for what happens from now on. */
export interface SentReply extends Omit<Reply, "body" | "answeredBy"> {
  readonly body: Exclude<ReplyBody, { readonly kind: "live" }> | { readonly kind: "live" };
}

/** Whether the worker that is asked looks where a call belongs, or answers it itself. */
export type Reach = "routed" | "own";

/** What one worker wants another to do, or to tell. */
export type Errand =
  /** Nothing: all that was sent before has been taken once it is told. */
  | { readonly kind: "ping" }
  /** Pings a worker. */
  | { readonly kind: "ping worker"; readonly worker: number }
  /** Whether chat of the base session may be answered anywhere, from now on. */
  | { readonly kind: "spread"; readonly spread: Spread }
  | { readonly kind: "tell spread" }
  /** The base session's state, unless the version is still the same. */
  | { readonly kind: "tell base"; readonly known: string }
  /** How many requests the base session's journal has had. */
  | { readonly kind: "tell count" };

/** Whether chat of the base session may be answered anywhere. Of two the one with the higher turn holds. */
export interface Spread {
  readonly isOn: boolean;
  readonly turn: number;
}

/** The base session's state at a version. */
export interface BaseState {
  readonly version: string;
  /** A fixture document as JSON. Undefined: it is the one that is known already. */
  readonly document: string | undefined;
}

/** What the worker says that asks. */
export type QuestionPart =
  | { readonly type: "ask"; readonly call: SentCall; readonly reach: Reach }
  | { readonly type: "body"; readonly body: CallBody }
  | { readonly type: "settle"; readonly outcome: Outcome }
  | { readonly type: "play" | "taken" | "stop" }
  | { readonly type: "errand"; readonly errand: Errand };

/** What the worker says that answers. */
export type AnswerPart =
  | { readonly type: "read"; readonly limit: number | undefined }
  | { readonly type: "reply"; readonly reply: SentReply }
  | { readonly type: "write"; readonly data: string | Uint8Array }
  | { readonly type: "finish"; readonly how: StreamEnd }
  | { readonly type: "done"; readonly value: unknown };

/** From the worker that asks. `id` is its own number for what it asks. */
export type Question = { readonly id: number } & QuestionPart;

/** From the worker that answers, with the number of what was asked. */
export type Answer = { readonly id: number } & AnswerPart;
