import { EmulatorError } from "../errors/emulator-error.ts";
import type { Call, CallHeaders } from "../http/call.ts";

/** The header that names a request's session. */
export const sessionHeader = "x-backlot-session";

/** Longer ids are no names but mistakes. */
export const longestSessionId = 200;

/** Which session a call is for, and its path inside of it. */
export interface SessionAddress {
  /** Undefined: the base session. */
  readonly id: string | undefined;
  readonly path: string;
  /** Why no session can have the id, and what to do. Undefined: one can. */
  readonly problem: string | undefined;
}

/**
 * Looks for a session's id: in a first path segment `/@<id>`, else it is the one that the caller is given, else that
 * in the header.
 */
export function readSessionAddress(
  { path, headers }: Pick<Call, "path" | "headers">,
  given?: string,
): SessionAddress {
  if (path.charCodeAt(1) === at && path.charCodeAt(0) === slash && isNamed(path)) {
    return splitPath(path);
  }
  if (given !== undefined) return { id: given, path, problem: undefined };
  const named = headers[sessionHeader];
  if (named === undefined || named === "") return { id: undefined, path, problem: undefined };
  return { id: named, path, problem: problemOf(named, plainId.test(named)) };
}

/** Printable ASCII without commas: what else there is in a header, its bytes may be in any encoding. */
const plainId = /^[ -+\--~]*$/;

function problemOf(id: string, isPlain: boolean): string | undefined {
  if (id.length > longestSessionId) {
    return `The session's id has more than ${longestSessionId} characters. Use a shorter one.`;
  }
  if (isPlain) return undefined;
  return id.includes(",")
    ? `The header ${sessionHeader} comes more than once, or has a comma. Give it once; an id with a comma goes percent-encoded into the path: /@a%2Cb.`
    : `The header ${sessionHeader} has a character beyond ASCII, whose encoding nobody knows. Put the id percent-encoded into the path: /@t%C3%A4st.`;
}

/** An id that code gave. Throws `ERR_OPTION_INVALID` for one that no request could name. */
export function checkedSessionId(id: string): string {
  if (typeof id === "string" && id !== "" && id.length <= longestSessionId) return id;
  throw new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot use the session ${JSON.stringify(id)}: an id is a text of 1 to ${longestSessionId} characters.`,
  );
}

const at = 0x40;
const slash = 0x2f;

/** Whether there is anything behind the `/@`. */
function isNamed(path: string): boolean {
  return path.length > 2 && path.charCodeAt(2) !== slash;
}

function splitPath(path: string): SessionAddress {
  const end = path.indexOf("/", 2);
  const id = decode(end === -1 ? path.slice(2) : path.slice(2, end));
  return { id, path: end === -1 ? "/" : path.slice(end), problem: problemOf(id, true) };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A call as its session sees it: at the path inside of it. */
export class SessionCall implements Call {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: CallHeaders;
  readonly readBody: Call["readBody"];
  readonly #call: Call;

  constructor(call: Call, path: string) {
    this.method = call.method;
    this.path = path;
    this.query = call.query;
    this.headers = call.headers;
    this.readBody = call.readBody;
    this.#call = call;
  }

  get received(): Uint8Array | undefined {
    return this.#call.received;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
}
