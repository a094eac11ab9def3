/** A piece of a streamed body, and when it is due. */
export interface Frame {
  /** Milliseconds after the start of the stream. Never less than the previous frame's. */
  readonly at: number;
  /** The frame's data, without the stream's `head` even if `isHeaded`. */
  readonly data: string | Uint8Array;
  /** Whether the stream's `head` is sent in front of `data`. Default: false. */
  readonly isHeaded?: boolean;
  /** Whether the frame carries a piece of a chat's answer. Default: false. */
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
  /**
   * The text in front of each frame with `isHeaded`. Streams that differ only in this text share their frames. Default:
   * none.
   */
  readonly head?: string;
  readonly end: {
    readonly how: StreamEnd;
    /** When the stream ends, in milliseconds after its start. Not before the last frame. */
    readonly at: number;
    /** The kind of the fault that ends the stream, for the log. */
    readonly fault?: string;
    /** How many events come before the fault that the client notices, comments not counted. */
    readonly chunksBefore?: number;
  };
  /** Filled in while the stream plays, if the journal wants to know. */
  sent?: SentFrames;
}

/** How much of a stream has been sent, and when. */
export interface SentFrames {
  /** When each frame was sent, in milliseconds after the start of the stream. */
  readonly ms: number[];
  /** The total length in characters, or in bytes for binary frames. */
  length: number;
}

/** The data of a frame as text. */
export function textOf({ data }: Pick<Frame, "data">): string {
  return typeof data === "string" ? data : new TextDecoder().decode(data);
}

/** The complete data of a frame, with the stream's head if it has one. */
export function bytesOf({ data, isHeaded }: Frame, { head }: EventStream): string | Uint8Array {
  return isHeaded === true && head !== undefined && typeof data === "string" ? head + data : data;
}
