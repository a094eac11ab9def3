import type { Call } from "../http/call.ts";
import type { PlannedError, Reply } from "../http/reply.ts";
import type { Database } from "../store/database.ts";

/** A request to the tables that has the token. */
export interface TablesRequest {
  readonly call: Call;
  /** What follows `/rest`, still percent-encoded. */
  readonly path: string;
  readonly database: Database;
  /** The time, in milliseconds of Unix time. */
  readonly now: () => number;
}

/** How a profile answers requests. */
export interface RestStages {
  /** With it preflights are answered, and replies are readable by pages of other origins. */
  readonly cors: { readonly methods: readonly string[] } | undefined;
  /** Refuses a call without the token, before anything else of it is looked at. Tokens of null: no call is. */
  readonly refuse: (call: Call, tokens: readonly string[] | null) => Reply | undefined;
  /** Reads rows at once, or writes one, or refuses to. */
  readonly answer: (request: TablesRequest) => Reply | Promise<Reply>;
  /** Answers paths that no interface has, under a profile that does. */
  readonly answerElsewhere: ((path: string) => Reply) | undefined;
  /** Refuses, with this message, what nothing answers and nobody recorded. */
  readonly refuseUnrecorded: (message: string) => Reply;
  readonly faults: TableFaults;
}

/** What becomes of requests that were planned to fail. */
export interface TableFaults {
  /** Whether a path, as it is below `/rest`, is that of a table or of one of its rows. */
  readonly isOfTable: (path: string, table: string) => boolean;
  /** An error in the envelope of the service. */
  readonly answer: (error: PlannedError) => Reply;
}
