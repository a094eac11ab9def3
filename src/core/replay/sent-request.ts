/** A request as a client sent it, before anything is taken out of it. */
export interface SentRequest {
  readonly method: string;
  /** Below the interface's mount point, still percent-encoded. */
  readonly path: string;
  /** As it was sent, without the question mark; empty: none. */
  readonly query: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Undefined or empty: none. */
  readonly body: Uint8Array | undefined;
}
