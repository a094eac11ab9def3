import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The packed package. */
    readonly tarball: string;
    /** A folder where it is installed, and nothing else. */
    readonly installed: string;
    /** The same with the packages that a user's tests have: msw, vite, vitest, openai. */
    readonly project: string;
  }
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];

/** Packs and installs once for all tests of the package. */
export default function setup(vitest: TestProject): () => void {
  const scratch = mkdtempSync(join(tmpdir(), "backlot-package-"));
  const installed = join(scratch, "installed");
  const project = join(scratch, "project");
  const tarball = pack(scratch);
  install(tarball, installed);
  cpSync(installed, project, { recursive: true, verbatimSymlinks: true });
  for (const name of ["msw", "vite", "vitest", "openai"]) {
    symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
  }
  vitest.provide("tarball", tarball);
  vitest.provide("installed", installed);
  vitest.provide("project", project);
  return () => rmSync(scratch, { recursive: true, force: true });
}

function pack(scratch: string): string {
  execFileSync("npm", ["pack", "--pack-destination", scratch, ...quiet], { cwd: root });
  return join(scratch, readdirSync(scratch).find((name) => name.endsWith(".tgz")) ?? "");
}

function install(tarball: string, folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const args = ["install", tarball, "--prefer-offline", ...quiet];
  execFileSync("npm", args, { cwd: folder });
}
