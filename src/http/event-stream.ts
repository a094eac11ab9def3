/** A piece of a streamed body and when it is due. */
export interface Frame {
  /** Milliseconds after the start of the stream. Never smaller than the frame's before. */
  readonly at: number;
  readonly data: string | Uint8Array;
}

/** How a stream ends once its last frame is out. */
export type StreamEnd =
  /** The response ends as it should. */
  | "close"
  /** The connection breaks. */
  | "reset"
  /** Nothing more comes, and the connection stays open until the client goes. */
  | "hang";

/**
 * A streamed body, complete before its first byte is sent: frames and the times at which they are due.
 * The core computes it, a front plays it.
 */
export interface EventStream {
  readonly frames: readonly Frame[];
  readonly end: {
    readonly how: StreamEnd;
    /** Milliseconds after the start of the stream. Not before the last frame. */
    readonly at: number;
  };
}
