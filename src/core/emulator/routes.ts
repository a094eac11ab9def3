import { decodedOrSent } from "../http/url-parts.ts";
import { invalidOption } from "../errors/emulator-error.ts";
import { bearerKey, isAcceptedKey } from "../http/bearer-key.ts";
import type { Call } from "../http/call.ts";
import { rootsOf } from "../http/endpoint.ts";
import {
  allInterfaces,
  fallbackInterface,
  type Interface,
  type InterfaceSettings,
} from "../interface.ts";

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
  readonly interface: Interface;
  /** The part below the interface's mount point and root. */
  readonly path: string;
  /** Whether an interface has such a path. If not, `path` is the whole path. */
  readonly known: boolean;
  /** The path at a real service. Undefined: the service cannot be asked for it. */
  readonly pathInService: string | undefined;
}

/** Where an interface is mounted. */
export interface Mount {
  readonly interface: Interface;
  /** Prefixes without a trailing slash, longest first. */
  readonly bases: readonly string[];
  /** The beginnings of the interface's paths below a mount point. */
  readonly roots: readonly string[];
}

/** Where the interfaces are mounted. The first one that has a path answers it. */
export type Mounts = readonly Mount[];

export function mountsOf(settings: InterfaceSettings): Mounts {
  return allInterfaces.map((one) => ({
    interface: one,
    bases: one.basePaths(settings),
    roots: rootsOf(one.endpoints(settings)),
  }));
}

/** Finds the interface for a path. */
export function findRoute(path: string, mounts: Mounts): Route {
  for (const { interface: found, bases, roots } of mounts) {
    for (const base of bases) {
      if (!isBelow(path, base)) continue;
      const root = roots.find((start) => isBelow(path, start, base.length));
      if (root === undefined) continue;
      const below = path.slice(base.length + found.root.length);
      return { interface: found, path: below, known: true, pathInService: below };
    }
  }
  const bases = basesOf(fallbackInterface, mounts);
  const pathInService = pathBelow(path, bases);
  return { interface: fallbackInterface, path, known: false, pathInService };
}

function basesOf(one: Interface, mounts: Mounts): readonly string[] {
  return mounts.find((mount) => mount.interface === one)?.bases ?? [];
}

/** The part of a path below the longest of these mount points that matches. */
function pathBelow(path: string, bases: readonly string[]): string | undefined {
  const base = bases.find((prefix) => isBelow(path, prefix));
  return base === undefined ? undefined : path.slice(base.length);
}

/** Whether a path continues with the segments of `prefix` at `start`. */
function isBelow(path: string, prefix: string, start: number = 0): boolean {
  if (!path.startsWith(prefix, start)) return false;
  const end = start + prefix.length;
  return path.length === end || path.charAt(end) === "/";
}

/** What decides which interface answers a call. */
interface RouteSetup {
  readonly settings: InterfaceSettings;
  readonly mounts: Mounts;
  /** The interface of a service that has no other interface. Undefined: the service has all interfaces. */
  readonly sole: Interface | undefined;
}

/** The interface that answers a call. For a service with one interface, the call's key counts as well as its path. */
export function routeOf(call: Call, { settings, mounts, sole }: RouteSetup): Route {
  const route = findRoute(call.path, mounts);
  if (sole === undefined || (route.known && route.interface === sole)) return route;
  // A caller who sends this interface's key to another one's path expects this service, which has no other interface.
  const keys = sole.keys(settings);
  if (route.known && !hasKeyOf(call, keys, route.interface.keys(settings))) return route;
  const path = pathBelow(call.path, basesOf(sole, mounts)) ?? call.path;
  return { interface: sole, path, known: false, pathInService: undefined };
}

/** Whether a call's key is one of `keys` and not also one of `others`. */
function hasKeyOf(
  { headers }: Call,
  keys: readonly string[] | null,
  others: readonly string[] | null,
): boolean {
  const key = bearerKey(headers["authorization"]);
  if (key === undefined || keys === null) return false;
  return isAcceptedKey(key, keys) && !isAcceptedKey(key, others ?? []);
}

/** The header that names a request's session. */
export const sessionHeader = "x-backlot-session";

/** Nobody needs a longer session id. */
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

/** Whether an id follows the `/@`. */
function isNamed(path: string): boolean {
  return path.length > 2 && path.charCodeAt(2) !== slash;
}

function splitPath(path: string): SessionAddress {
  const end = path.indexOf("/", 2);
  const id = decodedOrSent(end === -1 ? path.slice(2) : path.slice(2, end));
  const rest = end === -1 ? "/" : path.slice(end);
  return { id, path: rest, problem: leadsOut.test(rest) ? dotsProblem : problemOf(id, true) };
}

/** A dot segment. Fronts resolve those that stay within a session. */
const leadsOut = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

const dotsProblem =
  "The path leads out of its session by dots, so that a load balancer would read another one. Send it without them.";

/** The part of a path below a root, such as `/app/`; a path elsewhere as it is. */
export function pathBelowRoot(path: string, root: string): string {
  return path.startsWith(root) ? path.slice(root.length - 1) : path;
}

/** A call as its session or its root sees it, with the path within it. */
export function callWithin(call: Call, path: string): Call {
  if (path === call.path) return call;
  const { method, query, headers, readBody, prefix = "" } = call;
  return {
    method,
    path,
    prefix: prefix + (call.path.endsWith(path) ? call.path.slice(0, -path.length) : call.path),
    query,
    headers,
    readBody,
    admit: (size) => call.admit?.(size),
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
