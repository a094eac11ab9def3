import { isEmulatorError } from "../errors/emulator-error.ts";
import { jsonReply, type Reply } from "../http/reply.ts";
import type { Route } from "./routes.ts";

/** The answer when the emulator itself fails, in the envelope of the interface. */
export function failureReply(route: Pick<Route, "interface">): Reply {
  const message = "The emulator failed. This is a bug in Backlot; its log says more.";
  const reply = ownReply(route, { status: 500, code: "emulator_failure", message });
  return { ...reply, answeredBy: "failure" };
}

/** The answer where a limit of the emulator is reached. Undefined: the error is another one. */
export function limitReply(route: Pick<Route, "interface">, error: unknown): Reply | undefined {
  if (!isEmulatorError(error)) return undefined;
  const { code, message } = error;
  if (code === "ERR_ROWS_FULL") return ownReply(route, { status: 507, code: "rows_full", message });
  return code === "ERR_BUSY" ? busyReply(route, message) : undefined;
}

/** The answer where as much is going on as there may be. */
export function busyReply(route: Pick<Route, "interface">, message: string): Reply {
  return ownReply(route, { status: 503, code: "busy", message });
}

/** Why the service gives no answer. */
export interface OwnError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** An error of the emulator, not of the service, so SDKs need not retry. */
export function ownReply(
  { interface: asked }: Pick<Route, "interface">,
  { status, code, message }: OwnError,
): Reply {
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  const error =
    asked === "tables" ? { error: message, code } : { error: { message, type, param: null, code } };
  return { ...jsonReply(status, error, { "x-should-retry": "false" }), answeredBy: code };
}
