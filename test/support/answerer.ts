import { labelOf } from "../../src/core/http/answerer.ts";
import type { Reply } from "../../src/core/http/reply.ts";

/** What the log says of an answer whose request is gone. */
export function answererOf({ answeredBy }: Reply): string | undefined {
  return labelOf(answeredBy, { headers: {}, body: undefined });
}
