import { labelOf, type Reply } from "../../src/core/http/call.ts";

/** What the log says of an answer whose request is gone. */
export function answererOf({ answeredBy }: Reply): string | undefined {
  return labelOf(answeredBy, { headers: {}, body: undefined });
}
