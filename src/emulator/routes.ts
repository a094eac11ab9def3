/** Which interface a path belongs to, and the rest of the path, still percent-encoded. */
export interface Route {
  readonly interface: "rest" | "chat";
  /** What follows `/rest`, or the whole path below the mount point for chat. */
  readonly path: string;
  /** False when no interface has such a path: chat answers it, saying so. */
  readonly known: boolean;
}

/** Where the interfaces are mounted: prefixes without a trailing slash, the longest first. */
export interface Mounts {
  readonly rest: readonly string[];
  readonly chat: readonly string[];
}

const tables = "/rest";
const chatRoots = ["/chat/completions", "/models"];

/** Finds the interface for a path. */
export function findRoute(path: string, mounts: Mounts): Route {
  for (const base of mounts.rest) {
    const below = pathBelow(path, base);
    if (below !== undefined && isBelow(below, tables)) {
      return { interface: "rest", path: below.slice(tables.length), known: true };
    }
  }
  for (const base of mounts.chat) {
    const below = pathBelow(path, base);
    if (below !== undefined && chatRoots.some((root) => isBelow(below, root))) {
      return { interface: "chat", path: below, known: true };
    }
  }
  return { interface: "chat", path, known: false };
}

/** What a path has below the mount point of the tables that fits it best; all of it where none does. */
export function pathInTablesMount(path: string, { rest }: Pick<Mounts, "rest">): string {
  for (const base of rest) {
    const below = pathBelow(path, base);
    if (below !== undefined) return below;
  }
  return path;
}

function pathBelow(path: string, base: string): string | undefined {
  return isBelow(path, base) ? path.slice(base.length) : undefined;
}

function isBelow(path: string, prefix: string): boolean {
  if (!path.startsWith(prefix)) return false;
  return path.length === prefix.length || path.charAt(prefix.length) === "/";
}
