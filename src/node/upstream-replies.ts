import type { UpstreamCall } from "../emulator/upstream.ts";
import { jsonReply, type Reply } from "../http/reply.ts";

/** Why there is no answer of the service. */
interface NoAnswer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** An error that is ours and not the service's, in the envelope of the interface that was asked. */
export function refuseAnswer(
  asked: UpstreamCall["interface"],
  { status, code, message }: NoAnswer,
): Reply {
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  const error =
    asked === "rest" ? { error: message, code } : { error: { message, type, param: null, code } };
  return { ...jsonReply(status, error, { "x-should-retry": "false" }), answeredBy: code };
}
