/**
 * Runs the contract suites and the msw tests under newer Nodes with msw 3, in a temporary folder.
 * Node 20 with msw 2 is what `npm test` runs.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const msw = "msw@3.0.5";
const nodes = ["22.23.3", "24.21.0"];
const suites = ["test/contract", "test/msw", "test/emulator"];
const minutes = 60_000;

function npm(folder: string, ...args: string[]): void {
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", [...args, ...quiet], { cwd: folder, stdio: "inherit", timeout: 5 * minutes });
}

/** A copy of what git knows of, so that nothing of this machine is in it. */
function copyProject(to: string): void {
  const listed = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  for (const file of listed.split("\0").filter((name) => name !== "")) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(root, file), join(to, file));
  }
}

/** The path of a Node of this version, installed from npm into a folder of its own. */
function installNode(version: string, scratch: string): string {
  const folder = join(scratch, `node-${version}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  npm(folder, "install", `node@${version}`);
  return join(folder, "node_modules", "node", "bin", "node");
}

function runSuites(node: string, project: string): boolean {
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  console.log(`\n${version} with ${msw}`);
  const { status } = spawnSync(node, ["node_modules/vitest/vitest.mjs", "run", ...suites], {
    cwd: project,
    stdio: "inherit",
    timeout: 5 * minutes,
  });
  return status === 0;
}

const scratch = mkdtempSync(join(tmpdir(), "backlot-compat-"));
try {
  const project = join(scratch, "project");
  mkdirSync(project);
  copyProject(project);
  npm(project, "ci");
  npm(project, "install", "--no-save", "--force", msw);
  const failed = nodes.filter((version) => !runSuites(installNode(version, scratch), project));
  if (failed.length > 0) {
    console.error(`The suites fail under Node ${failed.join(" and ")} with ${msw}.`);
    process.exitCode = 1;
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
