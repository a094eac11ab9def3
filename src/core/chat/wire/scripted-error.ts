import type { Reply } from "../../http/reply.ts";
import { lowerCased } from "../completion/compose.ts";
import { retryAfter } from "../error-wording.ts";
import { type ChatError, errorReply } from "../errors.ts";
import type { ScriptMatch } from "../matching/match-script.ts";
import type { ScriptError } from "../scripts/script.ts";

/** Answers with the error that a script asks for; `firstTokenMs` of its pace is how long that takes. */
export function scriptedError(match: ScriptMatch, error: ScriptError, speed: number): Reply {
  const { reply, search } = match;
  const usual = usualKind(error.status);
  const { retryAfterMs } = error;
  const retry = retryAfterMs === undefined ? {} : retryAfter(retryAfterMs);
  const answer = errorReply({
    status: error.status,
    message: error.message,
    type: error.type ?? usual.type,
    code: error.code === undefined ? usual.code : error.code,
    param: error.param ?? null,
    headers: { ...retry, ...lowerCased(reply.headers) },
    answeredBy: search,
  });
  const wait = reply.pace?.firstTokenMs ?? 0;
  return { ...answer, delayMs: speed === 0 ? 0 : wait / speed };
}

/** The type and code that services usually send with a status. */
export function usualKind(status: number): Pick<ChatError, "type" | "code"> {
  if (status === 429) return { type: "requests", code: "rate_limit_exceeded" };
  return { type: status >= 500 ? "server_error" : "invalid_request_error", code: null };
}
