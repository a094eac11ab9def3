/** A request's body, or why there is none. */
export type CallBody =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** More than `limit` bytes arrived or were announced. The rest is not read. */
  | { readonly kind: "too-large"; readonly limit: number }
  /** The client went away before the body was complete. */
  | { readonly kind: "aborted" };

/** Header values by lower-case name. Repeated headers are joined with ", ". */
export type CallHeaders = Readonly<Record<string, string | undefined>>;

/** A request as the core sees it, the same from every front. */
export interface Call {
  /** The method as sent, in upper case by convention. */
  readonly method: string;
  /** The path, which begins with "/", still percent-encoded and without the query. */
  readonly path: string;
  /** The part of the address before the path: a root or a session, such as `/app/@test-7`. Undefined: there is none. */
  readonly prefix?: string | undefined;
  /** The query, still percent-encoded and without the leading "?"; empty if there is none. */
  readonly query: string;
  readonly headers: CallHeaders;
  /**
   * Reads the body on the first call, and returns the same result on later ones. Rejects only with `ERR_BUSY`, when the
   * front reads too many bytes at the same time. `limit` replaces the front's limit in bytes.
   */
  readonly readBody: (limit?: number) => Promise<CallBody>;
  /** The body's bytes, once read completely. */
  readonly received?: Uint8Array | undefined;
  /** Throws `ERR_BUSY` where the front has no room for an answer of this many bytes. Absent: there is always room. */
  readonly admit?: ((size: number) => void) | undefined;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /**
   * The remote address of the connection, or empty if it is no longer known. Absent or undefined if the call did not
   * come over a network. A method, since it is rarely needed.
   */
  readonly peerAddress?: () => string | undefined;
}
