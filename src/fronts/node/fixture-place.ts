import { type Dirent, existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { nearestName } from "../../core/errors/show.ts";
import { packageRoot } from "./package-root.ts";

/** The location of fixtures. */
export interface FixturePlace {
  /** The path as the user would type it; absolute for the built-in set. */
  readonly path: string;
  /** The name in messages. */
  readonly label: string;
  /** `named` by the user, `found` in the working directory, or `built-in`. */
  readonly origin: "named" | "found" | "built-in";
}

/** The built-in set of the package. It lies beside both `src` and `dist`. */
export const builtInFixtures: string = join(packageRoot, "fixtures");

const usual = [
  { path: "fixtures", isFolder: true },
  { path: "backlot", isFolder: true },
  { path: "db.json", isFolder: false },
];

/** The named fixtures, else the first default location that exists, else the built-in set. */
export function fixturePlace(named: string | undefined, cwd: string): FixturePlace {
  if (named !== undefined) return { path: named, label: named, origin: "named" };
  for (const { path, isFolder } of usual) {
    const stats = statSync(join(cwd, path), { throwIfNoEntry: false });
    if (stats !== undefined && stats.isDirectory() === isFolder) {
      return { path, label: path, origin: "found" };
    }
  }
  return { path: builtInFixtures, label: "the built-in set", origin: "built-in" };
}

/** Whether these are the built-in fixtures, under any name. */
export function isBuiltIn({ path }: FixturePlace, cwd: string): boolean {
  return resolve(cwd, path) === builtInFixtures;
}

/** Whether a file or folder exists at this path. */
export function exists(path: string, cwd: string): boolean {
  return existsSync(resolve(cwd, path));
}

/** The most entries of a folder that are compared. */
const mostEntries = 1000;

/** The fixtures with the nearest name in the same folder, for a path that does not exist. */
export function nearestFixtures(path: string, cwd: string): string | undefined {
  return nearestPath(path, cwd, (entry, location) => {
    if (/\.(?:jsonc?|sql)$/i.test(entry.name)) return true;
    return !entry.isFile() && marks.some((mark) => existsSync(join(location, mark)));
  });
}

/** The file with the nearest name, for a path that does not exist. */
export function nearestFile(path: string, cwd: string): string | undefined {
  return nearestPath(path, cwd, (entry) => !entry.isDirectory());
}

/** A folder with at least one of these names is a folder of fixtures. */
const marks = [
  "config.json",
  "config.jsonc",
  "models.json",
  "models.jsonc",
  "embeddings.json",
  "embeddings.jsonc",
  "chats",
  "tables",
  "cassettes",
];

function nearestPath(
  path: string,
  cwd: string,
  isMeant: (entry: Dirent, location: string) => boolean,
): string | undefined {
  const location = resolve(cwd, path);
  const folder = dirname(location);
  const wrong = basename(location);
  const near = entriesOf(folder).filter(
    (entry) =>
      // A broken link has the wrong name itself, so it is no suggestion.
      entry.name !== wrong &&
      !entry.name.startsWith(".") &&
      nearestName(wrong, [entry.name]) !== undefined &&
      isMeant(entry, join(folder, entry.name)),
  );
  const name = nearestName(
    wrong,
    near.map((entry) => entry.name),
  );
  return name === undefined ? undefined : join(dirname(path), name);
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).slice(0, mostEntries);
    return entries.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    // An unreadable folder gives no suggestion.
    return [];
  }
}
