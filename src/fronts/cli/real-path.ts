import { existsSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** The most links from one to the next that systems follow. */
const mostLinks = 40;

/** The path without links, also where the file is not there yet, or what a link leads to. */
export function realPath(path: string, links = 0): string {
  if (existsSync(path)) return realpathSync.native(path);
  const folder = dirname(path);
  if (folder === path) return path;
  const next = links < mostLinks ? linkAt(path) : undefined;
  if (next !== undefined) return realPath(resolve(folder, next), links + 1);
  return join(realPath(folder, links), basename(path));
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** What of a path is below another, links aside: empty where both are the same. Undefined: it is elsewhere. */
export function pathBelow(path: string, above: string): string | undefined {
  const below = relative(realPath(above), realPath(path));
  const isElsewhere = below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below);
  return isElsewhere ? undefined : below;
}
