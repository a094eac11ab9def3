import { EmulatorError } from "../errors/emulator-error.ts";
import type { Call } from "../http/call.ts";

/** The header that names a request's session. */
export const sessionHeader = "x-backlot-session";

/** Longer ids are no names but mistakes. */
export const longestSessionId = 200;

/** Which session a call is for, and its path inside of it. */
export interface SessionAddress {
  /** Undefined: the base session. */
  readonly id: string | undefined;
  readonly path: string;
}

/** Looks for a session's id: in a first path segment `/@<id>`, else in the header. */
export function readSessionAddress({
  path,
  headers,
}: Pick<Call, "path" | "headers">): SessionAddress {
  if (path.charCodeAt(1) === at && path.charCodeAt(0) === slash) return splitPath(path);
  const named = headers[sessionHeader];
  return { id: named === undefined || named === "" ? undefined : named, path };
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

function splitPath(path: string): SessionAddress {
  const end = path.indexOf("/", 2);
  const segment = end === -1 ? path.slice(2) : path.slice(2, end);
  if (segment === "") return { id: undefined, path };
  return { id: decode(segment), path: end === -1 ? "/" : path.slice(end) };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
