import { decodedOrSent } from "../http/url-parts.ts";
import { invalidOption } from "../errors/emulator-error.ts";
import { bearerKey, isAcceptedKey } from "../http/bearer-key.ts";
import type { Call } from "../http/call.ts";
import type { InterfaceName } from "./exchange.ts";
import type { ResolvedSettings } from "../settings/resolve-settings.ts";

/** The control API is below this path on the interfaces' server, and nowhere else. */
export const controlPrefix = "/__backlot";

/** The part of a path below `/__backlot`; undefined if it is elsewhere. */
export function pathBelowControl(path: string): string | undefined {
  if (!path.startsWith(controlPrefix)) return undefined;
  const below = path.slice(controlPrefix.length);
  return below === "" || below.startsWith("/") ? below : undefined;
}

/** The interface of a path, and the rest of the path, still percent-encoded. */
export interface Route {
  readonly interface: InterfaceName;
  /** The part after `/rest`, or for chat the whole path below the mount point. */
  readonly path: string;
  /** False when no interface has such a path: chat answers it with an error. */
  readonly known: boolean;
}

/** Where the interfaces are mounted: prefixes without a trailing slash, longest first. */
export interface Mounts {
  readonly tables: readonly string[];
  readonly chat: readonly string[];
}

const tables = "/rest";
const chatRoots = ["/chat/completions", "/models"];

/** Finds the interface for a path. */
export function findRoute(path: string, mounts: Mounts): Route {
  for (const base of mounts.tables) {
    if (isBelow(path, base) && isBelow(path, tables, base.length)) {
      return { interface: "tables", path: path.slice(base.length + tables.length), known: true };
    }
  }
  for (const base of mounts.chat) {
    if (!isBelow(path, base)) continue;
    for (const root of chatRoots) {
      if (isBelow(path, root, base.length)) {
        return { interface: "chat", path: path.slice(base.length), known: true };
      }
    }
  }
  return { interface: "chat", path, known: false };
}

/** The part of a path below the longest of these mount points that matches. */
function pathBelow(path: string, mounts: readonly string[]): string | undefined {
  const base = mounts.find((prefix) => isBelow(path, prefix));
  return base === undefined ? undefined : path.slice(base.length);
}

/**
 * The part of the path below the interface's own mount point. Undefined: it is below none, so no other service could
 * be asked for it.
 */
export function pathInInterface(route: Route, { chat }: Pick<Mounts, "chat">): string | undefined {
  if (route.known) return route.path;
  return route.interface === "tables" ? undefined : pathBelow(route.path, chat);
}

/** Whether a path continues with the segments of `prefix` at `start`. */
function isBelow(path: string, prefix: string, start: number = 0): boolean {
  if (!path.startsWith(prefix, start)) return false;
  const end = start + prefix.length;
  return path.length === end || path.charAt(end) === "/";
}

/** What decides which interface answers a call. */
interface RouteSetup {
  readonly settings: Pick<ResolvedSettings, "tablesProfile" | "tokens" | "apiKeys">;
  readonly mounts: Mounts;
}

/** The interface that answers a call. In some profiles the path alone does not tell. */
export function routeOf(call: Call, { settings, mounts }: RouteSetup): Route {
  const route = findRoute(call.path, mounts);
  if (!settings.tablesProfile.isAlone) return route;
  // A caller of chat with the tables' token expects their service, which has no chat.
  const isMistaken = route.interface === "chat" && hasTokenOf(call, settings);
  const isTheirs = !route.known || isMistaken;
  if (!isTheirs) return route;
  const path = pathBelow(call.path, mounts.tables) ?? call.path;
  return { interface: "tables", path, known: false };
}

/** Whether a call has the tables' token and that is not also one of chat's keys. */
function hasTokenOf(
  { headers }: Call,
  { tokens, apiKeys }: Pick<ResolvedSettings, "tokens" | "apiKeys">,
): boolean {
  const key = bearerKey(headers["authorization"]);
  if (key === undefined || tokens === null) return false;
  return isAcceptedKey(key, tokens) && !isAcceptedKey(key, apiKeys ?? []);
}

/** The header that names a request's session. */
export const sessionHeader = "x-backlot-session";

/** Longer ids are mistakes. */
export const longestSessionId = 200;

/** A call's session, and its path within it. */
export interface SessionAddress {
  /** Undefined: the base session. */
  readonly id: string | undefined;
  readonly path: string;
  /** Why the id is invalid, and what to do. Undefined: it is valid. */
  readonly problem: string | undefined;
}

/** Finds a session's id: in a first path segment `/@<id>`, else the caller's, else in the header. */
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

/** Printable ASCII without commas: other bytes of a header may be in any encoding. */
const plainId = /^[ -+\--~]*$/;

function problemOf(id: string, isPlain: boolean): string | undefined {
  if (id.length > longestSessionId) {
    return `The session's id has more than ${longestSessionId} characters. Use a shorter one.`;
  }
  if (isPlain) return undefined;
  return id.includes(",")
    ? `The header ${sessionHeader} is sent more than once, or has a comma. Send it once; put an id with a comma percent-encoded into the path: /@a%2Cb.`
    : `The header ${sessionHeader} has a character beyond ASCII in an unknown encoding. Put the id percent-encoded into the path: /@t%C3%A4st.`;
}

/** Checks an id given by code. Throws `ERR_OPTION_INVALID` for an id that no request could name. */
export function checkedSessionId(id: string): string {
  if (typeof id === "string" && id !== "" && id.length <= longestSessionId) return id;
  throw invalidOption(
    `Cannot use the session ${JSON.stringify(id)}: an id is a text of 1 to ${longestSessionId} characters.`,
  );
}

const at = 0x40;
const slash = 0x2f;

/** Whether anything follows the `/@`. */
function isNamed(path: string): boolean {
  return path.length > 2 && path.charCodeAt(2) !== slash;
}

function splitPath(path: string): SessionAddress {
  const end = path.indexOf("/", 2);
  const id = decodedOrSent(end === -1 ? path.slice(2) : path.slice(2, end));
  return { id, path: end === -1 ? "/" : path.slice(end), problem: problemOf(id, true) };
}

/** A call as its session sees it, with the path within it. */
export function callWithin(call: Call, path: string): Call {
  const { method, query, headers, readBody } = call;
  return {
    method,
    path,
    prefix: call.path.endsWith(path) ? call.path.slice(0, -path.length) : call.path,
    query,
    headers,
    readBody,
    get received() {
      return call.received;
    },
    get signal() {
      return call.signal;
    },
  };
}

const dotSegments = /\/\.(?=\.?(?:\/|$))/g;

/**
 * Parses an address by the runtime's URL parser. Node's parser keeps `.` and `..` behind a segment that begins with a
 * dot, as in `/.a/../b`, unless some dots are encoded.
 */
export function parseAddress(address: string): URL {
  const path = /^[^?#]*/;
  return new URL(address.replace(path, (plain) => plain.replaceAll(dotSegments, "/%2e")));
}
