import type { Delay } from "../delay.ts";
import type { ChunkFaultKind, FaultKind } from "../faults/fault-kinds.ts";
import type { JsonValue } from "../../schema/json.ts";

/** An object in a script. */
type JsonObject = Readonly<Record<string, JsonValue>>;

/** How a text is matched. A plain string means `contains`. */
export type TextMatcher =
  | string
  | { readonly equals: string }
  | { readonly contains: string }
  | { readonly regex: string; readonly flags?: string }
  | { readonly anyOf: readonly TextMatcher[] };

/** A value to compare with. */
export type PlainValue = string | number | boolean | null | readonly JsonValue[];

/** Matchers of a value, all of which must hold. */
export interface Matchers<Value, Plain> {
  /** The value, equal as JSON. */
  readonly equals?: Value;
  /** A part of a text, or an element of an array or a part of such an element. */
  readonly contains?: Value;
  /** A regular expression that a text matches. */
  readonly regex?: string;
  readonly flags?: string;
  /** At least one of these must hold. */
  readonly anyOf?: readonly (Plain | Matchers<Value, Plain>)[];
  /** Whether the value exists. Null counts as existing. */
  readonly exists?: boolean;
  /** Bounds of a number, in texts of headers too. */
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
  /** A matcher that must not hold. An absent value equals nothing. */
  readonly not?: Plain | Matchers<Value, Plain>;
}

/** How a value of the request body is matched. A matcher that is no object means `equals`. */
export type ValueMatcher = PlainValue | Matchers<JsonValue, PlainValue>;

/** How the text of a header or of an id is matched. A plain string means `equals`. */
export type WholeTextMatcher = string | Matchers<string, string>;

/** Which requests a script answers. All given conditions must hold. */
export interface When {
  /** A glob for the request's `model`: `*` is any run of characters, `?` is one. */
  readonly model?: string;
  /** The last user message. */
  readonly user?: TextMatcher;
  /** Any system (or developer) message. */
  readonly system?: TextMatcher;
  readonly anyMessage?: TextMatcher;
  /** The last assistant message. Its text is empty if it only has calls. */
  readonly assistant?: TextMatcher;
  /** How many assistant messages the conversation has so far. */
  readonly turn?: number;
  /** How many assistant messages came after the last user message: 0 for the first answer to it. */
  readonly step?: number;
  /**
   * The type of a part of the last user message. `image`, `file` and `audio` stand for the types of chat completions
   * and Responses.
   */
  readonly part?: string;
  /** The name of a tool that the request offers. */
  readonly tool?: string;
  /** The last message is the result of this tool. */
  readonly toolResult?: {
    readonly name?: string;
    /** The id of the call. */
    readonly id?: WholeTextMatcher;
    readonly content?: TextMatcher;
  };
  readonly stream?: boolean;
  /** Header values by name. The case of names does not matter. */
  readonly header?: Readonly<Record<string, WholeTextMatcher>>;
  /**
   * Values of the request body by dotted path: `response_format.type`, `messages.0.role`, `messages.-1.content`. Write
   * `\.` for a dot in a key.
   */
  readonly request?: Readonly<Record<string, ValueMatcher>>;
}

/** A call of a function, or of a custom tool. */
export type ScriptToolCall = ScriptFunctionCall | ScriptCustomCall;

/** A call of a function. An object or null in `arguments` is sent as JSON text, a string unchanged. */
export interface ScriptFunctionCall {
  readonly id?: string;
  readonly type?: "function";
  readonly name: string;
  readonly arguments?: string | { readonly [key: string]: JsonValue } | null;
}

/** A call of a custom tool, whose input is a text. */
export interface ScriptCustomCall {
  readonly id?: string;
  readonly type: "custom";
  readonly name: string;
  readonly input: string;
}

/** A step of an explicit stream. A plain string is content. */
export type ScriptChunk =
  | string
  /** Milliseconds to wait before the next step. */
  | { readonly wait: number }
  | { readonly reasoning: string }
  | { readonly toolCall: ScriptToolCall }
  /**
   * An SSE comment line, such as servers send to keep a connection alive. With `everyMs` the comment is repeated until
   * the next step; with `times` it is sent that often, and the next step waits for the last one.
   */
  | { readonly comment: string; readonly everyMs?: number; readonly times?: number }
  /** Text that is sent unchanged. A JSON reply leaves out `raw`, `json` and `base64`. */
  | { readonly raw: string }
  /** An event with this as its data. */
  | { readonly json: JsonValue }
  /** Bytes that are sent unchanged, such as half a character. */
  | { readonly base64: string }
  /** An output item of Responses, sent unchanged, such as a call of a hosted tool. Chat completions leave it out. */
  | { readonly outputItem: { readonly type: string } }
  /** A fault at this point of the stream. */
  | { readonly fault: ChunkFault };

/** A fault of a reply. */
export interface Fault {
  readonly kind: FaultKind;
  /** How many data events are sent before the fault, including the one with the role. Default: 0. */
  readonly afterChunks?: number;
  /** When the fault happens, in milliseconds after the head. Use this or `afterChunks`. */
  readonly afterMs?: number;
  /** The probability of the fault, from 0 to 1. Whether it happens is drawn from the seed. Default: 1. */
  readonly probability?: number;
  /** The error that the kind `error` sends. Default: a server error. */
  readonly error?: FaultError;
}

/** An error inside a stream that has started. */
export type FaultError = Pick<ScriptError, "type" | "code" | "param" | "extra"> & {
  readonly message: string;
};

/** A fault among chunks: its position says when it happens. A kind alone is short for an object with that kind. */
export type ChunkFault =
  | ChunkFaultKind
  | (Omit<Fault, "afterChunks" | "afterMs"> & { readonly kind: ChunkFaultKind });

/** The log probability of a token, as on the wire. */
export interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  /** The token's bytes in UTF-8. */
  readonly bytes: readonly number[] | null;
  readonly top_logprobs: readonly Omit<TokenLogprob, "top_logprobs">[];
}

/** The log probabilities of a choice's tokens, as on the wire. */
export interface Logprobs {
  readonly content: readonly TokenLogprob[] | null;
  readonly refusal: readonly TokenLogprob[] | null;
}

/** How fast a stream is sent. */
export interface Pace {
  /** Milliseconds before the head of the answer (status and headers). Default: 0. */
  readonly headersMs?: Delay;
  /** Milliseconds between the head and the first piece. Default: 0. */
  readonly firstTokenMs?: Delay;
  /** Pieces per second, instead of `gapMs`. */
  readonly tokensPerSecond?: number;
  /** Milliseconds between two pieces. */
  readonly gapMs?: Delay;
  /** Varies each fixed gap by up to this share, from 0 to 1, drawn from the seed. Default: 0. */
  readonly jitter?: number;
  /** The size of a piece; a number counts characters. Default: `token`. */
  readonly by?: "token" | "word" | "character" | number;
  /** How tool calls are sent: in pieces, each as a whole, or the pieces of several calls in turn. Default: `pieces`. */
  readonly toolCalls?: "pieces" | "whole" | "interleaved";
}

/** An error instead of a completion. */
export interface ScriptError {
  readonly status: number;
  /** Default: the service's message for the status. */
  readonly message?: string;
  readonly type?: string;
  readonly code?: string | null;
  readonly param?: string | null;
  /** More keys beside the message, such as `innererror`, sent as they are. */
  readonly extra?: JsonObject;
  /** Sent as `retry-after-ms` and, in whole seconds rounded up, as `retry-after`. */
  readonly retryAfterMs?: number;
}

/** One choice of a reply. */
export interface ScriptChoice {
  /**
   * Text, or a Liquid template if it has `{{` or `{%`; null for a reply with only tool calls. An object or array is
   * sent as JSON text, and each text in it may be a template.
   */
  readonly content?: string | null | { readonly [key: string]: JsonValue } | readonly JsonValue[];
  readonly chunks?: readonly ScriptChunk[];
  readonly toolCalls?: readonly ScriptToolCall[];
  readonly reasoning?: string;
  readonly refusal?: string;
  /**
   * Log probabilities, sent even if the request does not ask for them. Default: made up from the seed when a request
   * asks for them.
   */
  readonly logprobs?: Partial<Logprobs>;
  readonly finishReason?: string;
  readonly extra?: ChoiceExtra;
}

/** More keys, sent as they are. They replace keys of the same name. */
export interface ChoiceExtra {
  /** In the message of a JSON reply. */
  readonly message?: JsonObject;
  /** In the first delta of a stream. */
  readonly delta?: JsonObject;
  /** Beside the message, and in each chunk beside the delta. */
  readonly choice?: JsonObject;
}

/** More keys of a choice, and of the object that has the choices. */
export interface ReplyExtra extends ChoiceExtra {
  /** In a JSON reply, and in each chunk. */
  readonly body?: JsonObject;
}

/** What a script answers. */
export interface ScriptReply extends ScriptChoice {
  /**
   * One reply per choice, for requests with `n` > 1, instead of the keys above. At least one; if `n` is larger, they
   * repeat from the first.
   */
  readonly choices?: readonly ScriptChoice[];
  readonly extra?: ReplyExtra;
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
  /** JSON in place of the reply, sent as it is, to a request for a stream too. */
  readonly body?: JsonValue;
  /** The status of `body`. Default: 200. */
  readonly status?: number;
  readonly fault?: Fault;
}

/** A scripted part of a conversation: which requests it answers, and how. */
export interface Script {
  /** Unique within the set. Default in fixtures: the file name and the position in it. */
  readonly name: string;
  readonly when?: When;
  /** How many requests the script answers. Default: any number. */
  readonly times?: number;
  /** The replies, given in turn by what `count` counts. At least one. */
  readonly replies: readonly [ScriptReply, ...ScriptReply[]];
  /** After the last reply: `repeat` the last, `cycle` to the first, or `end` matching. Default: `repeat`. */
  readonly after?: "repeat" | "cycle" | "end";
  /**
   * What decides which reply is given: the number of the script's matches, or the conversation's step or turn. Default:
   * `match`.
   */
  readonly count?: "match" | "step" | "turn";
}
