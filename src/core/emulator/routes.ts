import type { InterfaceName } from "./exchange.ts";
import { bearerKey, isAcceptedKey } from "../http/bearer-key.ts";
import type { Call } from "../http/call.ts";
import type { ResolvedSettings } from "./settings.ts";

/** Which interface a path belongs to, and the rest of the path, still percent-encoded. */
export interface Route {
  readonly interface: InterfaceName;
  /** What follows `/rest`, or the whole path below the mount point for chat. */
  readonly path: string;
  /** False when no interface has such a path: chat answers it, saying so. */
  readonly known: boolean;
}

/** Where the interfaces are mounted: prefixes without a trailing slash, the longest first. */
export interface Mounts {
  readonly rest: readonly string[];
  readonly chat: readonly string[];
  /** The routes of whole paths, which need not be taken apart. Default: none. */
  readonly exact?: ReadonlyMap<string, Route>;
}

const tables = "/rest";
const chatRoots = ["/chat/completions", "/models"];

/** Mounts that know chat's own paths by heart: to take the path of each chat apart takes 0.3 µs. */
export function mountsAt(mounts: Pick<Mounts, "rest" | "chat">): Mounts {
  const paths = mounts.chat.flatMap((base) => chatRoots.map((root) => base + root));
  return { ...mounts, exact: new Map(paths.map((path) => [path, takeApart(path, mounts)])) };
}

/** Finds the interface for a path. */
export function findRoute(path: string, mounts: Mounts): Route {
  return mounts.exact?.get(path) ?? takeApart(path, mounts);
}

function takeApart(path: string, mounts: Pick<Mounts, "rest" | "chat">): Route {
  for (const base of mounts.rest) {
    if (isBelow(path, base) && isBelow(path, tables, base.length)) {
      return { interface: "rest", path: path.slice(base.length + tables.length), known: true };
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

/** What a path has below the mount point of the tables that fits it best; all of it where none does. */
export function pathInTablesMount(path: string, { rest }: Pick<Mounts, "rest">): string {
  for (const base of rest) {
    if (isBelow(path, base)) return path.slice(base.length);
  }
  return path;
}

/**
 * What a call asks of its interface: the path below the interface's own mount point. Undefined: it is below none, so
 * that no other service with the interface could be asked for it.
 */
export function pathInInterface(route: Route, { chat }: Pick<Mounts, "chat">): string | undefined {
  const { path } = route;
  if (route.known) return path;
  if (route.interface === "rest") return undefined;
  const base = chat.find((prefix) => isBelow(path, prefix));
  return base === undefined ? undefined : path.slice(base.length);
}

/** Whether the segments of `prefix` are those of a path from `start` on. */
function isBelow(path: string, prefix: string, start: number = 0): boolean {
  if (!path.startsWith(prefix, start)) return false;
  const end = start + prefix.length;
  return path.length === end || path.charAt(end) === "/";
}

/** What the interface that answers a call depends on. */
interface RouteSetup {
  readonly settings: Pick<ResolvedSettings, "restProfile" | "tokens" | "apiKeys">;
  readonly mounts: Mounts;
}

/** The interface that answers a call, which under some profiles is not told by the path alone. */
export function routeOf(call: Call, { settings, mounts }: RouteSetup): Route {
  const route = findRoute(call.path, mounts);
  if (!settings.restProfile.isAlone) return route;
  // Who comes to chat with the tables' token takes us for their service, which has none.
  const isMistaken = route.interface === "chat" && hasTokenOf(call, settings);
  const isTheirs = !route.known || isMistaken;
  if (!isTheirs) return route;
  return { interface: "rest", path: pathInTablesMount(call.path, mounts), known: false };
}

/** Whether a call has the tables' token, and that is not one of chat's keys as well. */
function hasTokenOf(
  { headers }: Call,
  { tokens, apiKeys }: Pick<ResolvedSettings, "tokens" | "apiKeys">,
): boolean {
  const key = bearerKey(headers["authorization"]);
  if (key === undefined || tokens === null) return false;
  return isAcceptedKey(key, tokens) && !isAcceptedKey(key, apiKeys ?? []);
}
