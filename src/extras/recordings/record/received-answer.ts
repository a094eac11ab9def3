import type { RecordedEnd } from "../../../core/replay/cassette.ts";

/** Bytes of a body, and when they came: milliseconds after the request was sent. */
export interface ReceivedPart {
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

/** What a service answered, as it was seen on the wire. Compressed bodies are unpacked already. */
export interface ReceivedAnswer {
  /** 0: the connection broke before there was a head. */
  readonly status: number;
  /** By lower-case name, without those of a single connection. */
  readonly headers: Readonly<Record<string, string>>;
  /** When the head was there, or the connection broke. */
  readonly afterMs: number;
  /** Undefined: an answer that has none, such as one to HEAD. */
  readonly body?: {
    readonly parts: readonly ReceivedPart[];
    readonly end: { readonly atMs: number; readonly how: RecordedEnd };
  };
}
