/** What became of a request's body. */
export type CallBody =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** More than `limit` bytes came, or were announced. The rest is not read. */
  | { readonly kind: "too-large"; readonly limit: number }
  /** The client went away before the body was complete. */
  | { readonly kind: "aborted" };

/** Header values by lower-case name. Repeated headers are joined with ", ". */
export type CallHeaders = Readonly<Record<string, string | undefined>>;

/** A request as the core sees it, the same from every front. */
export interface Call {
  /** As sent, so upper case by convention. */
  readonly method: string;
  /** Begins with "/"; still percent-encoded; without the query. */
  readonly path: string;
  /** Still percent-encoded; without the leading "?"; empty when there is none. */
  readonly query: string;
  readonly headers: CallHeaders;
  /**
   * Reads the body when first called and gives the same answer ever after. It does not reject. `limit` is what it may
   * have in bytes, in place of what the front has for all.
   */
  readonly readBody: (limit?: number) => Promise<CallBody>;
  /** The body's bytes, once all of it was read. */
  readonly received?: Uint8Array | undefined;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /**
   * The address of whom a connection comes from; empty where that cannot be told any more. Undefined, as it is without
   * this: it did not come over a network. A method, since few want to know.
   */
  readonly peerAddress?: () => string | undefined;
}
