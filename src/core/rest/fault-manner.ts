import type { PlannedError } from "../http/planned-error.ts";
import type { Reply } from "../http/reply.ts";

/** What a profile has to say of requests that were planned to fail. */
export interface FaultManner {
  /** Whether a path, as it is below `/rest`, is that of a table or of one of its rows. */
  readonly isOfTable: (path: string, table: string) => boolean;
  /** An error in the envelope of the service. */
  readonly answer: (error: PlannedError) => Reply;
}
