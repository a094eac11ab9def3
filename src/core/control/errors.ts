import { isEmulatorError, type Problem } from "../errors/emulator-error.ts";
import { jsonReply, type Reply, type ReplyHeaders } from "../http/reply.ts";

interface ControlError {
  readonly status: number;
  /** When it is answered. */
  readonly when: string;
}

/** Every error of the control API. The one table that says so. */
const errors = {
  foreign_host: {
    status: 403,
    when: "The Host is not a loopback name, and no control token is set.",
  },
  foreign_peer: {
    status: 403,
    when: "The connection comes from another machine, and no control token is set.",
  },
  foreign_origin: { status: 403, when: "The Origin is not the server's own." },
  wrong_token: { status: 403, when: "The control token is missing or wrong." },
  invalid_path: { status: 400, when: "A percent escape in the path cannot be decoded." },
  invalid_session: { status: 400, when: "The session id is not allowed." },
  unknown_path: { status: 404, when: "There is no such path. The message suggests the nearest." },
  method_not_allowed: {
    status: 405,
    when: "The path has other methods, which the header `allow` lists.",
  },
  unknown_parameter: { status: 400, when: "The query has an unknown parameter." },
  repeated_parameter: { status: 400, when: "A query parameter is given more than once." },
  invalid_parameter: {
    status: 400,
    when: "A query parameter has an invalid value.",
  },
  unsupported_media_type: {
    status: 415,
    when: "The content type is not JSON.",
  },
  body_too_large: { status: 413, when: "The body has more than 100 MB." },
  incomplete_body: { status: 400, when: "The client left before the body was complete." },
  not_json: {
    status: 400,
    when: "The body is missing or not JSON, repeats a key, or has an inexact number.",
  },
  invalid_body: { status: 400, when: "The body does not fit. The message lists every problem." },
  rows_refused: { status: 400, when: "The rows do not fit the table, or break a constraint." },
  script_refused: {
    status: 400,
    when: "The script does not fit the format, or its name is taken.",
  },
  fault_refused: { status: 400, when: "The fault does not fit. The message lists every problem." },
  state_refused: { status: 400, when: "The document does not fit the fixture format." },
  export_refused: {
    status: 409,
    when: "A fixture document cannot express a table. The message names table and reason.",
  },
  snapshot_refused: {
    status: 400,
    when: "The name is not allowed, or there are 100 snapshots already.",
  },
  session_refused: { status: 400, when: "The id is not allowed." },
  unknown_table: { status: 404, when: "There is no such table. The message suggests the nearest." },
  unknown_script: {
    status: 404,
    when: "There is no script of that name. The message suggests the nearest.",
  },
  unknown_fault: {
    status: 404,
    when: "There is no fault of that id. The message suggests the nearest.",
  },
  unknown_session: {
    status: 404,
    when: "There is no session of that id. The message suggests the nearest.",
  },
  unknown_snapshot: {
    status: 404,
    when: "There is no snapshot of that name. The message suggests the nearest.",
  },
  tables_unavailable: {
    status: 503,
    when: "The tables are kept in a database, which does not answer, or refuses. Only with `--tables`.",
  },
  too_many_watchers: {
    status: 503,
    when: "The most clients possible, 256, watch journals already.",
  },
} as const;

/** Why a call is refused, for programs to switch on. */
export type ControlErrorCode = keyof typeof errors;

export const controlErrors: Readonly<Record<ControlErrorCode, ControlError>> = errors;

/** What a refusal says besides its code. */
export interface Refusal {
  /** What is wrong, and what to do. */
  readonly message: string;
  readonly problems?: readonly Problem[];
  readonly headers?: ReplyHeaders;
}

/** The reply of a call that is refused. */
export function refuse(code: ControlErrorCode, refusal: Refusal): Reply {
  const { message, problems = [], headers } = refusal;
  const error = { code, message, ...(problems.length === 0 ? {} : { problems }) };
  const { status } = controlErrors[code];
  return { ...jsonReply(status, { error }, headers), answeredBy: `control: ${code}` };
}

/** Refuses a call for what the emulator found wrong with it. Throws what is no mistake of the caller. */
export function refuseMistake(code: ControlErrorCode | undefined, error: unknown): Reply {
  if (code === undefined || !isEmulatorError(error)) throw error;
  const { message, problems } = error;
  return refuse(code, { message, problems });
}
