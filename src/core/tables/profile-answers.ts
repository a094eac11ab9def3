import type { Call } from "../http/call.ts";
import type { PlannedError, Reply } from "../http/reply.ts";
import type { KnownKeys } from "./token-advice.ts";
import type { Database } from "../store/database.ts";

/** A request to the tables that has the token. */
export interface TablesRequest {
  readonly call: Call;
  /** The part after `/rest`, still percent-encoded. */
  readonly path: string;
  readonly database: Database;
  /** The time, in Unix time in milliseconds. */
  readonly now: () => number;
  /** Logs a warning for the developer: each message once, and a few messages of each kind. */
  readonly warn: Warn;
}

export type Warn = (message: string, kind: string) => void;

/** What a profile needs to refuse a call. */
export interface RefuseContext extends KnownKeys {
  /** Logs a warning, for a profile whose answers give no advice. */
  readonly warn: Warn;
}

/** How a profile answers requests. */
export interface ProfileAnswers {
  /** If present, preflights are answered, and pages of other origins can read replies. */
  readonly cors: { readonly methods: readonly string[] } | undefined;
  /** Refuses a call without the token, before anything else is checked. Refuses none if the tokens are null. */
  readonly refuse: (call: Call, keys: RefuseContext) => Reply | undefined;
  /** Reads rows, writes one, or refuses to. */
  readonly answer: (request: TablesRequest) => Reply | Promise<Reply>;
  /** Answers paths that no interface has; undefined in profiles that do not. */
  readonly answerElsewhere: ((path: string) => Reply) | undefined;
  /** Refuses a call without an answer or recording, with this message. */
  readonly refuseUnrecorded: (message: string) => Reply;
  readonly faults: TableFaults;
}

/** Answers requests that fail as planned. */
export interface TableFaults {
  /** Whether a path below `/rest` is that of a table or a row. */
  readonly isOfTable: (path: string, table: string) => boolean;
  /** An error in the envelope of the service. */
  readonly answer: (error: PlannedError) => Reply;
}
