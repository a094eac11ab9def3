import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";

/** The path without links, also where the file is not there yet. */
export function realPath(path: string): string {
  if (existsSync(path)) return realpathSync.native(path);
  const folder = dirname(path);
  return folder === path ? path : join(realPath(folder), basename(path));
}

/** What of a path is below another, links aside: empty where both are the same. Undefined: it is elsewhere. */
export function pathBelow(path: string, above: string): string | undefined {
  const below = relative(realPath(above), realPath(path));
  const isElsewhere = below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below);
  return isElsewhere ? undefined : below;
}
