import { isEmulatorError } from "../errors/emulator-error.ts";
import { jsonReply, type OwnError, type Reply } from "../http/reply.ts";
import type { Interface } from "../interface.ts";

/** Puts an error of the emulator into the format of an interface or of the control API. */
export type Envelope = Pick<Interface, "envelope">;

/** The answer when the emulator itself fails. */
export function failureReply(format: Envelope): Reply {
  const message = "The emulator failed. This is a bug in Backlot; its log says more.";
  const reply = ownReply(format, { status: 500, code: "emulator_failure", message });
  return { ...reply, answeredBy: "failure" };
}

/** The answer when a limit of the emulator is reached; undefined for any other error. */
export function limitReply(format: Envelope, error: unknown): Reply | undefined {
  if (!isEmulatorError(error)) return undefined;
  const { code, message } = error;
  if (code === "ERR_ROWS_FULL")
    return ownReply(format, { status: 507, code: "rows_full", message });
  if (code === "ERR_ADDED_FULL")
    return ownReply(format, { status: 507, code: "added_full", message });
  return code === "ERR_BUSY" ? busyReply(format, message) : undefined;
}

/** The answer when the emulator is at its limit of concurrent work. */
export function busyReply(format: Envelope, message: string): Reply {
  return ownReply(format, { status: 503, code: "busy", message });
}

/**
 * The answer for an error of the emulator itself. SDKs are told not to retry, since it is not an error of the service.
 */
export function ownReply(format: Envelope, error: OwnError): Reply {
  const { status, code } = error;
  const reply = jsonReply(status, format.envelope(error), { "x-should-retry": "false" });
  return { ...reply, answeredBy: code };
}

/** The format of errors of the control API. */
export const controlEnvelope: Envelope = {
  envelope: ({ code, message }) => ({ error: { code, message } }),
};
