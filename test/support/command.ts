import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The command, bundled from source: it starts in 0.14 s, and module by module through tsx in 0.34 s. */
    readonly command: string;
    /** The module `backlot/vitest`, bundled from source: a run of Vitest loads it with two thirds of the work. */
    readonly vitestModule: string;
  }
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Bundles once, for all tests that start a process, what those processes run. */
export default async function setup(vitest: TestProject): Promise<() => void> {
  const parent = join(root, ".tsbuild");
  mkdirSync(parent, { recursive: true });
  // Within the project, where its packages are found.
  const outdir = mkdtempSync(join(parent, "command-"));
  // Where Vitest takes it for a package, as a user's does, and so compiles nothing of it.
  const packaged = join(outdir, "node_modules/backlot");
  await Promise.all([
    bundle("src/fronts/cli/bin.ts", outdir),
    bundle("src/fronts/vitest/index.ts", packaged),
  ]);
  vitest.provide("command", join(outdir, "bin.js"));
  vitest.provide("vitestModule", join(packaged, "index.js"));
  return () => rmSync(outdir, { recursive: true, force: true });
}

async function bundle(entry: string, outdir: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    outdir,
    logLevel: "error",
  });
}
