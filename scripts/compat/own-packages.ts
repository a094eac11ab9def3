/** Folders of the project with packages of their own, kept apart from its dev dependencies. */
import { spawnSync } from "node:child_process";

const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];

function npm(folder: string, args: readonly string[], stdio: "inherit" | "ignore"): boolean {
  const options = { cwd: folder, stdio, shell: process.platform === "win32" } as const;
  return spawnSync("npm", [...args, "--prefix", folder], options).status === 0;
}

/** Whether all packages are there, in the versions of the lockfile. */
export function hasOwnPackages(folder: string): boolean {
  return npm(folder, ["ls", "--all"], "ignore");
}

/** Installs what the lockfile has; gives whether that worked. */
export function installOwnPackages(folder: string, ...more: readonly string[]): boolean {
  return npm(folder, ["ci", "--prefer-offline", ...quiet, ...more], "inherit");
}
