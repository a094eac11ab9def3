import type { JsonValue } from "../store/row.ts";

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
  /** The name of a function offered in `tools`. */
  readonly tool?: string;
  /** The last message is the result of this tool. */
  readonly toolResult?: { readonly name?: string; readonly content?: TextMatcher };
  readonly stream?: boolean;
  /** Header values by name; names in any case, values equal. */
  readonly header?: Readonly<Record<string, string>>;
  /** Values of the request's body by dotted path (`response_format.type`, `messages.0.role`), equal as JSON. */
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
  /** Bytes put on the wire as they are. Left out of a JSON reply. */
  | { readonly raw: string };

/** How fast a stream comes. */
export interface Pace {
  /** Milliseconds before the first piece. Default 0. */
  readonly firstTokenMs?: number;
  /** Pieces per second. Not together with `gapMs`. */
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

/** What a script answers. */
export interface ScriptReply {
  /** Text, a Liquid template where it has `{{` or `{%`; null for a reply of tool calls only. */
  readonly content?: string | null;
  readonly chunks?: readonly ScriptChunk[];
  readonly toolCalls?: readonly ScriptToolCall[];
  readonly reasoning?: string;
  readonly refusal?: string;
  readonly finishReason?: string;
  readonly usage?: {
    readonly prompt_tokens?: number;
    readonly completion_tokens?: number;
    readonly total_tokens?: number;
  };
  readonly model?: string;
  readonly id?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly pace?: Pace;
  readonly error?: ScriptError;
}

/** A scripted part of a conversation: when it speaks and what it says. */
export interface Script {
  /** Unique within the set. Fixtures without one are named after their file and place. */
  readonly name: string;
  readonly when?: When;
  /** How many times it matches; then it no longer does. */
  readonly times?: number;
  /** The n-th match is answered with the n-th reply. At least one. */
  readonly replies: readonly [ScriptReply, ...ScriptReply[]];
  /** What follows the last reply. Default `repeat`: the last again; `cycle`: from the first; `end`: no match. */
  readonly after?: "repeat" | "cycle" | "end";
}
