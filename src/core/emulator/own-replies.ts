import { isEmulatorError } from "../errors/emulator-error.ts";
import { jsonReply, type OwnError, type Reply } from "../http/reply.ts";
import type { Interface } from "../interface.ts";

/** Puts an error of the emulator into the envelope of whoever asked. */
export type Envelope = Pick<Interface, "envelope">;

/** The answer when the emulator itself fails. */
export function failureReply(asked: Envelope): Reply {
  const message = "The emulator failed. This is a bug in Backlot; its log says more.";
  const reply = ownReply(asked, { status: 500, code: "emulator_failure", message });
  return { ...reply, answeredBy: "failure" };
}

/** The answer where a limit of the emulator is reached. Undefined: the error is another one. */
export function limitReply(asked: Envelope, error: unknown): Reply | undefined {
  if (!isEmulatorError(error)) return undefined;
  const { code, message } = error;
  if (code === "ERR_ROWS_FULL") return ownReply(asked, { status: 507, code: "rows_full", message });
  return code === "ERR_BUSY" ? busyReply(asked, message) : undefined;
}

/** The answer where as much is going on as there may be. */
export function busyReply(asked: Envelope, message: string): Reply {
  return ownReply(asked, { status: 503, code: "busy", message });
}

/** An error of the emulator, not of the service, so SDKs need not retry. */
export function ownReply(asked: Envelope, error: OwnError): Reply {
  const { status, code } = error;
  const reply = jsonReply(status, asked.envelope(error), { "x-should-retry": "false" });
  return { ...reply, answeredBy: code };
}

/** The envelope of the control API. */
export const controlEnvelope: Envelope = {
  envelope: ({ code, message }) => ({ error: { code, message } }),
};
