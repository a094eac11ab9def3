import type { Fault } from "../../../../core/chat/scripts/script.ts";

/** A tool call as it was answered. */
export interface SaidCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly arguments: string;
}

/** What a choice of a recorded answer says, however it was sent. */
export interface SaidChoice {
  /** Null and undefined: none. An empty text is one. */
  readonly content: string | undefined;
  readonly reasoning: string | undefined;
  readonly refusal: string | undefined;
  readonly calls: readonly SaidCall[];
  /** As on the wire. Undefined: there are none. */
  readonly logprobs: unknown;
  readonly finishReason: string | undefined;
  /** The deltas of a stream, in their order. */
  readonly deltas?: readonly SaidDelta[];
}

/** A delta of a streamed choice. */
export type SaidDelta =
  | { readonly kind: "content" | "reasoning" | "refusal"; readonly text: string }
  | { readonly kind: "call"; readonly index: number };

/** When the parts of an answer came, in milliseconds after the request. */
export interface SaidTimes {
  readonly first: number;
  readonly last: number;
}

/** A recorded answer that is a completion. */
export interface SaidAnswer {
  readonly model: string | undefined;
  readonly usage: unknown;
  readonly choices: readonly SaidChoice[];
  readonly times: SaidTimes;
  /** What went wrong with it. */
  readonly fault: SaidFault | undefined;
}

/** What went wrong with an answer, and whether what was said before came as far as it is here, and no further. */
export interface SaidFault {
  readonly fault: Fault;
  /** It happens after all that was said. Else it is one of the whole answer. */
  readonly isAtEnd: boolean;
}
