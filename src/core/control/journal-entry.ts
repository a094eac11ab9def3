import type {
  AnswerPlan,
  ClosestRecording,
  MissedScript,
  RecordingPlace,
} from "../http/answerer.ts";

export type {
  AnswerPlan,
  ClosestRecording,
  MissedCriterion,
  MissedScript,
  PlanTest,
  RecordingPlace,
} from "../http/answerer.ts";

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
  /** Without the leading "?"; empty when there was none. Keys and tokens are redacted. */
  readonly query: string;
  /** Keys and tokens are redacted. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it was JSON, else the text; null when there was none. */
  readonly body: unknown;
  /** 0 when there was no answer, because of a fault. */
  readonly status: number;
  readonly answeredBy: string | null;
  /** The name of the chat script that answered. */
  readonly script: string | null;
  /** Which of the script's `replies` answered, from 0; null where it has one. */
  readonly reply: number | null;
  /**
   * The scripts that did not match, up to 5 of those that came closest, closest first: of a request that a script
   * answered those that were tried before it.
   */
  readonly misses: readonly MissedScript[];
  /** How the table finds the rows of the request, as it is when the entry is read; null where no rows were looked for. */
  readonly plan: AnswerPlan | null;
  /** The id of the planned fault that answered, or that held the answer back. */
  readonly fault: string | null;
  /** The recording that was replayed. */
  readonly recording: RecordingPlace | null;
  /** Of a request that was refused since it is not recorded: what comes closest, and where that differs. */
  readonly closestRecording: ClosestRecording | null;
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

/** What of an exchange only an archive of HTTP tells. */
export interface WireParts {
  /** The request's body as it was sent; undefined when it had none. */
  readonly body: string | undefined;
  /** How many bytes that was; text of broken UTF-8 has more. */
  readonly bodyBytes: number;
  /** Those of the reply. Keys and tokens are redacted. */
  readonly replyHeaders: Readonly<Record<string, string>>;
}

/** A request that a journal has: what it is filtered by, and the rest when it is asked for. */
export interface KeptRequest {
  readonly id: string;
  /** Its place among all requests of its journal, from 1. */
  readonly number: number;
  /** Unix time in milliseconds. */
  readonly at: number;
  readonly interface: "rest" | "chat";
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly read: () => JournalEntry;
  readonly wire: () => WireParts;
}

/** Told of what becomes of a session's journal. */
export interface JournalWatcher {
  /** A request is over. */
  readonly recorded: (request: KeptRequest) => void;
  /** The journal is empty now. With `anew` its numbers begin at 1 again, since the session does. */
  readonly cleared: (journal: { readonly count: number; readonly anew: boolean }) => void;
}

/** A journal that is watched, whichever session has its id by now. */
export interface JournalWatch {
  /** What it has, oldest first. */
  readonly kept: () => readonly KeptRequest[];
  /** How many requests were recorded so far, those that are gone included. */
  readonly count: () => number;
  /** How many there were when it was last emptied; 0 where it never was. */
  readonly clearedAt: () => number;
  readonly stop: () => void;
}
