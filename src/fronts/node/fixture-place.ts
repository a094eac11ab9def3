import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Where fixtures are taken from. */
export interface FixturePlace {
  /** As the user would type it, or absolute for the built-in set. */
  readonly path: string;
  /** How messages name it. */
  readonly label: string;
  /** `named` by the user, `found` in the working directory, or `built-in`. */
  readonly origin: "named" | "found" | "built-in";
}

/** The set that ships with the package. It lies beside both `src` and `dist`. */
export const builtInFixtures: string = fileURLToPath(new URL("../../../fixtures", import.meta.url));

const usual = [
  { path: "fixtures", isFolder: true },
  { path: "backlot", isFolder: true },
  { path: "db.json", isFolder: false },
];

/** The fixtures that were named, else the first of the usual places, else the built-in set. */
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

/** Whether these are the fixtures that ship with the package, by whatever name. */
export function isBuiltIn({ path }: FixturePlace, cwd: string): boolean {
  return resolve(cwd, path) === builtInFixtures;
}

/** Whether anything is there under this name. */
export function exists(path: string, cwd: string): boolean {
  return existsSync(resolve(cwd, path));
}
