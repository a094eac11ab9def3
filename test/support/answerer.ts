import { labelOf } from "../../src/http/answerer.ts";
import type { Reply } from "../../src/http/reply.ts";

/** What the log says of an answer whose request is gone. */
export function answererOf({ answeredBy }: Reply): string | undefined {
  return labelOf(answeredBy, { headers: {}, body: undefined, tables: undefined });
}
