/** A piece of a streamed body, and when it is due. */
export interface Frame {
  /** Milliseconds after the start of the stream. Never less than the previous frame's. */
  readonly at: number;
  /** Whether the stream's head is sent before it. */
  readonly data: string | Uint8Array;
  /** Default: false. */
  readonly isHeaded?: boolean;
  /** Whether it has a piece of a chat's answer. Default: false. */
  readonly isToken?: boolean;
}

/** How a stream ends after its last frame. */
export type StreamEnd =
  /** The response ends properly. */
  | "close"
  /** The connection breaks. */
  | "reset"
  /** Nothing more is sent, and the connection stays open until the client leaves. */
  | "hang";

/**
 * A streamed body, complete before its first byte is sent: frames with due times. The core computes it, a front plays
 * it.
 */
export interface EventStream {
  readonly frames: readonly Frame[];
  /** The beginning of each headed frame: streams that differ only in this share their frames. Default: none. */
  readonly head?: string;
  readonly end: {
    readonly how: StreamEnd;
    /** Milliseconds after the start of the stream. Not before the last frame. */
    readonly at: number;
    /** The kind of the fault that ends it, for the log. */
    readonly fault?: string;
  };
  /** Filled while the stream plays, if somebody wants to know. */
  sent?: SentFrames;
}

/** What was sent of a stream so far. */
export interface SentFrames {
  /** For each frame the milliseconds after the start of the stream. */
  readonly ms: number[];
  /** In characters, or bytes of binary frames. */
  length: number;
}

/** The data of a frame as text. */
export function textOf({ data }: Pick<Frame, "data">): string {
  return typeof data === "string" ? data : new TextDecoder().decode(data);
}

/** The full text of a frame of a stream. */
export function bytesOf({ data, isHeaded }: Frame, { head }: EventStream): string | Uint8Array {
  return isHeaded === true && head !== undefined && typeof data === "string" ? head + data : data;
}
