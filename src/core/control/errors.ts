import { isEmulatorError, type Problem } from "../errors/emulator-error.ts";
import { jsonReply, type Reply, type ReplyHeaders } from "../http/reply.ts";

/** Every error of the control API, by status: its code, and when a call gets it. */
const errors = {
  400: {
    invalid_path: "A percent escape in the path cannot be decoded.",
    invalid_session: "The session id is not allowed.",
    unknown_parameter: "The query has an unknown parameter.",
    repeated_parameter: "A query parameter is given more than once.",
    invalid_parameter: "A query parameter has an invalid value.",
    incomplete_body: "The client left before the body was complete.",
    not_json: "The body is missing or not JSON, repeats a key, or has an inexact number.",
    invalid_body: "The body does not fit. The message lists every problem.",
    rows_refused: "The rows do not fit the table, or break a constraint.",
    script_refused: "The script does not fit the format, or its name is taken.",
    fault_refused: "The fault does not fit. The message lists every problem.",
    state_refused: "The document does not fit the fixture format.",
    recording_refused: "The journal has no whole answer, or a file cannot be written.",
    snapshot_refused: "The name is not allowed, or there are 100 snapshots already.",
    session_refused: "The id is not allowed.",
  },
  403: {
    foreign_host: "The Host is not a loopback name, and no control token is set.",
    foreign_peer: "The connection comes from another machine, and no control token is set.",
    foreign_origin: "The Origin is not the server's own.",
    wrong_token: "The control token is missing or wrong.",
  },
  404: {
    unknown_path: "There is no such path. The message suggests the nearest.",
    unknown_table: "There is no such table. The message suggests the nearest.",
    unknown_script: "There is no script of that name. The message suggests the nearest.",
    unknown_fault: "There is no fault of that id. The message suggests the nearest.",
    unknown_session: "There is no session of that id. The message suggests the nearest.",
    unknown_request: "The journal has no request of that id, or not any more.",
    unknown_snapshot: "There is no snapshot of that name. The message suggests the nearest.",
  },
  405: {
    method_not_allowed: "The path has other methods, which the header `allow` lists.",
  },
  409: {
    not_watching: "The server does not watch a folder of fixtures.",
    export_refused:
      "A fixture document cannot express a table. The message names table and reason.",
  },
  413: {
    body_too_large: "The body has more than 100 MB, or its values take more than may be kept.",
  },
  415: {
    unsupported_media_type: "The content type is not JSON.",
  },
  503: {
    tables_unavailable:
      "The tables are shared with other processes, and what keeps them does not answer, or refuses.",
    too_many_watchers: "The most clients possible, 256, watch journals already.",
  },
} as const;

type ErrorsByStatus = typeof errors;

/** Why a call is refused, for programs to switch on. */
export type ControlErrorCode = {
  [Status in keyof ErrorsByStatus]: keyof ErrorsByStatus[Status];
}[keyof ErrorsByStatus];

interface ControlError {
  readonly status: number;
  /** When a call gets the error. */
  readonly when: string;
}

export const controlErrors: Readonly<Record<ControlErrorCode, ControlError>> = Object.fromEntries(
  Object.entries(errors).flatMap(([status, codes]) =>
    Object.entries(codes).map(([code, when]) => [code, { status: Number(status), when }]),
  ),
) as Record<ControlErrorCode, ControlError>;

/** The contents of a refusal besides its code. */
export interface Refusal {
  /** What is wrong, and what to do. */
  readonly message: string;
  readonly problems?: readonly Problem[];
  readonly headers?: ReplyHeaders;
}

/** The reply to a refused call. */
export function refuse(code: ControlErrorCode, refusal: Refusal): Reply {
  const { message, problems = [], headers } = refusal;
  const error = { code, message, ...(problems.length === 0 ? {} : { problems }) };
  const { status } = controlErrors[code];
  return { ...jsonReply(status, { error }, headers), answeredBy: `control: ${code}` };
}

/** Refuses to write files because no folder of fixtures is watched. */
export function refuseUnwatched(what: string): Reply {
  const why = "the server does not watch a folder of fixtures. Start it with --watch and a folder.";
  return refuse("not_watching", { message: `Cannot ${what}: ${why}` });
}

/** Turns an error of the emulator into a refusal. Rethrows errors that are not the caller's mistake. */
export function refuseMistake(code: ControlErrorCode | undefined, error: unknown): Reply {
  if (code === undefined || !isEmulatorError(error)) throw error;
  const { message, problems } = error;
  return refuse(code, { message, problems });
}
