/** A request and what became of it. */
export interface JournalEntry {
  readonly id: string;
  /** When it came: an ISO time in UTC, by the emulator's clock. */
  readonly at: string;
  /** Null: the base session. */
  readonly session: string | null;
  readonly interface: "rest" | "chat";
  readonly method: string;
  readonly path: string;
  /** Without the leading "?"; empty when there was none. */
  readonly query: string;
  /** Keys and tokens are redacted. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it was JSON, else the text; null when there was none. */
  readonly body: unknown;
  /** 0 when there was no answer, because of a fault. */
  readonly status: number;
  readonly answeredBy: string | null;
  readonly durationMs: number;
  /** Of the body that was sent. */
  readonly bytes: number;
  /** Frames of a stream; 0 for other replies. */
  readonly chunksSent: number;
  /** True when the client went away before the end. */
  readonly aborted: boolean;
  /** How many times the client says that it has tried before. */
  readonly retryCount: number | null;
}
