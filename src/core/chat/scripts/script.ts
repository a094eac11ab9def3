import type { ChunkFaultKind, FaultKind } from "../faults/fault-kinds.ts";
import type { JsonValue } from "../../schema/json.ts";

/** How a text is matched. A plain string means `contains`. */
export type TextMatcher =
  | string
  | { readonly equals: string }
  | { readonly contains: string }
  | { readonly regex: string; readonly flags?: string }
  | { readonly anyOf: readonly TextMatcher[] };

/** Which requests a script answers. All that is given must hold. */
export interface When {
  /** A glob: `*` any run of characters, `?` one. Compared with the request's `model`. */
  readonly model?: string;
  /** The last user message. */
  readonly user?: TextMatcher;
  /** Any system (or developer) message. */
  readonly system?: TextMatcher;
  readonly anyMessage?: TextMatcher;
  /** How many assistant messages the conversation has so far. */
  readonly turn?: number;
  /** The name of a function in the request's `tools`. */
  readonly tool?: string;
  /** The last message is the result of this tool. */
  readonly toolResult?: { readonly name?: string; readonly content?: TextMatcher };
  readonly stream?: boolean;
  /** Header values by name; names in any case, values equal. */
  readonly header?: Readonly<Record<string, string>>;
  /** Values of the request's body by dotted path (`response_format.type`, `messages.0.role`), equal as JSON. `\.` is a dot in a key. */
  readonly request?: Readonly<Record<string, JsonValue>>;
}

/** A tool call. `arguments` as an object is sent as its JSON text, a string as it is. */
export interface ScriptToolCall {
  readonly id?: string;
  readonly name: string;
  readonly arguments?: string | { readonly [key: string]: JsonValue };
}

/** A step of an explicit stream. A plain string is content. */
export type ScriptChunk =
  | string
  /** Milliseconds to wait before the next step. */
  | { readonly wait: number }
  | { readonly reasoning: string }
  | { readonly toolCall: ScriptToolCall }
  /** An SSE comment line, as servers send to keep a connection alive. */
  | { readonly comment: string }
  /** Text that is sent unchanged. Left out of a JSON reply. */
  | { readonly raw: string }
  /** Breaks the stream here, as `fault` of the reply does after so many chunks. */
  | { readonly fault: ChunkFault };

/** Something that goes wrong with a reply. */
export interface Fault {
  readonly kind: FaultKind;
  /** How many events with data come before it, the one with the role included. Default 0. */
  readonly afterChunks?: number;
  /** How likely it happens, from 0 to 1, drawn from the seed. Default 1. */
  readonly probability?: number;
  /** What the kind `error` says. Default: a server error. */
  readonly error?: FaultError;
}

/** An error inside a stream that has begun. */
export type FaultError = Pick<ScriptError, "message" | "type" | "code" | "param">;

/** A fault among chunks: its place says when it happens. A kind alone is short for an object with that kind. */
export type ChunkFault =
  | ChunkFaultKind
  | (Omit<Fault, "afterChunks"> & { readonly kind: ChunkFaultKind });

/** The probability of a token, as on the wire. */
export interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  /** The token's UTF-8. */
  readonly bytes: readonly number[] | null;
  readonly top_logprobs: readonly Omit<TokenLogprob, "top_logprobs">[];
}

/** The probabilities of a choice's tokens, as on the wire. */
export interface Logprobs {
  readonly content: readonly TokenLogprob[] | null;
  readonly refusal: readonly TokenLogprob[] | null;
}

/** How fast a stream comes. */
export interface Pace {
  /** Milliseconds before the first piece. Default 0. */
  readonly firstTokenMs?: number;
  /** Pieces per second, instead of `gapMs`. */
  readonly tokensPerSecond?: number;
  /** Milliseconds between two pieces. */
  readonly gapMs?: number;
  /** Each gap is longer or shorter by up to this share of it, at random from the seed. 0 to 1, default 0. */
  readonly jitter?: number;
  /** What a piece is; a number is that many characters. Default `token`. */
  readonly by?: "token" | "word" | "character" | number;
}

/** An error answer instead of a completion. */
export interface ScriptError {
  readonly status: number;
  readonly message: string;
  readonly type?: string;
  readonly code?: string | null;
  readonly param?: string | null;
  /** Sent as `retry-after-ms` and, in whole seconds rounded up, as `retry-after`. */
  readonly retryAfterMs?: number;
}

/** What one choice of a reply says. */
export interface ScriptChoice {
  /**
   * Text, a Liquid template where it has `{{` or `{%`; null for a reply of tool calls only. An object or array is
   * sent as its JSON text, with each text in it a template of its own.
   */
  readonly content?: string | null | { readonly [key: string]: JsonValue } | readonly JsonValue[];
  readonly chunks?: readonly ScriptChunk[];
  readonly toolCalls?: readonly ScriptToolCall[];
  readonly reasoning?: string;
  readonly refusal?: string;
  /** Sent whether the request asks for them or not. Default: made up from the seed for those who ask. */
  readonly logprobs?: Partial<Logprobs>;
  readonly finishReason?: string;
}

/** What a script answers. */
export interface ScriptReply extends ScriptChoice {
  /**
   * What each choice says, for requests with `n` > 1, instead of the above. At least one; when more are wanted
   * than there are, they come again from the first.
   */
  readonly choices?: readonly ScriptChoice[];
  readonly usage?: {
    readonly prompt_tokens?: number;
    readonly completion_tokens?: number;
    readonly total_tokens?: number;
    /** Counts by name, as on the wire: `cached_tokens`, `audio_tokens`. */
    readonly prompt_tokens_details?: Readonly<Record<string, number>>;
    /** `reasoning_tokens`, `accepted_prediction_tokens` and so on. */
    readonly completion_tokens_details?: Readonly<Record<string, number>>;
  };
  readonly model?: string;
  readonly id?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly pace?: Pace;
  readonly error?: ScriptError;
  readonly fault?: Fault;
}

/** A scripted part of a conversation: when it speaks and what it says. */
export interface Script {
  /** Unique within the set. Fixtures without one are named after their file and place. */
  readonly name: string;
  readonly when?: When;
  /** How many times it matches. Default: always. */
  readonly times?: number;
  /** The n-th match is answered with the n-th reply. At least one. */
  readonly replies: readonly [ScriptReply, ...ScriptReply[]];
  /** What follows the last reply. Default `repeat`: the last again; `cycle`: from the first; `end`: no match. */
  readonly after?: "repeat" | "cycle" | "end";
}
