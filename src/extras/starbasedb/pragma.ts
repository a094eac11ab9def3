import type { Reply } from "../../core/http/reply.ts";
import { sqliteReply, syntaxError, unknownToken } from "./errors.ts";
import { isPragmaArgument, wordKind } from "./words.ts";

const offset = "PRAGMA table_info(".length;

/** Tables of the runtime's own begin so, and nobody may look at them. */
const hiddenPrefix = "_cf_";

/**
 * What becomes of `PRAGMA table_info(table);`, by which the service finds the primary key: the error that it passes
 * on, or undefined when the statement runs. It runs for tables that do not exist, too.
 */
export function refusePragma(table: string): Reply | undefined {
  if (table.startsWith(hiddenPrefix)) return sqliteReply("not authorized", "denied");
  if (isPragmaArgument(table)) return undefined;
  switch (wordKind(table)) {
    case "empty":
      return sqliteReply(syntaxError(")", offset));
    case "illegal":
      return sqliteReply(unknownToken(table, offset));
    default:
      return sqliteReply(syntaxError(table, offset));
  }
}
