/** Which interface a path belongs to, and the rest of the path, still percent-encoded. */
export interface Route {
  readonly interface: "rest" | "chat";
  /** What follows `/rest`, or the whole path below the mount point for chat. */
  readonly path: string;
  /** False when no interface has such a path: chat answers it, saying so. */
  readonly known: boolean;
}

const tables = "/rest";
const chatRoots = ["/chat/completions", "/models"];

/** Finds the interface for a path; `basePaths` are prefixes without a trailing slash, the longest first. */
export function findRoute(path: string, basePaths: readonly string[]): Route {
  for (const base of basePaths) {
    if (!isBelow(path, base)) continue;
    const below = path.slice(base.length);
    if (isBelow(below, tables)) {
      return { interface: "rest", path: below.slice(tables.length), known: true };
    }
    if (chatRoots.some((root) => isBelow(below, root))) {
      return { interface: "chat", path: below, known: true };
    }
  }
  return { interface: "chat", path, known: false };
}

function isBelow(path: string, prefix: string): boolean {
  if (!path.startsWith(prefix)) return false;
  return path.length === prefix.length || path.charAt(prefix.length) === "/";
}
