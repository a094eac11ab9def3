import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root: string = fileURLToPath(new URL("../..", import.meta.url));

export const minutes = 60_000;

/** Runs npm in a folder, with no more words than errors. */
export function npm(folder: string, ...args: string[]): void {
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", [...args, ...quiet], { cwd: folder, stdio: "inherit", timeout: 5 * minutes });
}

/** Gives a temporary folder, which is gone after the work. */
export async function inScratchFolder(
  name: string,
  work: (scratch: string) => void | Promise<void>,
): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), `backlot-${name}-`));
  try {
    await work(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Packs the project as it would be published; gives the tarball's path. Builds it first, unless it has just been built. */
export function pack(scratch: string, { isBuilt = false } = {}): string {
  const quietly = ["--pack-destination", scratch, "--loglevel=error"];
  const built = isBuilt ? ["--ignore-scripts"] : [];
  execFileSync("npm", ["pack", ...quietly, ...built], { cwd: root });
  return join(scratch, readdirSync(scratch).find((file) => file.endsWith(".tgz")) ?? "");
}

/** A project of its own, of ES modules, with these packages and without running their scripts. */
export function makeProject(folder: string, packages: readonly string[]): void {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  npm(folder, "install", "--ignore-scripts", "--prefer-offline", ...packages);
}
