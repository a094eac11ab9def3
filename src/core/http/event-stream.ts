/** A piece of a streamed body and when it is due. */
export interface Frame {
  /** Milliseconds after the start of the stream. Never smaller than the frame's before. */
  readonly at: number;
  /** A headed one is sent behind the head of its stream. */
  readonly data: string | Uint8Array;
  /** Default: false. */
  readonly isHeaded?: boolean;
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
  /** What each headed frame begins with: streams that differ in nothing else share their frames. Default: nothing. */
  readonly head?: string;
  readonly end: {
    readonly how: StreamEnd;
    /** Milliseconds after the start of the stream. Not before the last frame. */
    readonly at: number;
  };
}

/** All that is sent for a frame of a stream. */
export function bytesOf({ data, isHeaded }: Frame, { head }: EventStream): string | Uint8Array {
  return isHeaded === true && head !== undefined && typeof data === "string" ? head + data : data;
}
