/**
 * Runs suites under newer Nodes, in a temporary folder: those of the contract and of msw with msw 3, then those of
 * the chat clients with their newer majors. Node 20 with msw 2 and the older majors is what `npm test` runs.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const nodes = ["22.23.3", "24.21.0"];

const msw = "msw@3.0.5";

/** Packages that are installed over those of the project, and what is run with them. */
const stages = [
  { packages: [msw], suites: ["test/contract", "test/msw", "test/emulator"] },
  {
    packages: [
      msw,
      "openai@7.55.0",
      "ai@7.0.173",
      "@ai-sdk/openai@4.0.118",
      "@ai-sdk/openai-compatible@3.0.92",
      "@langchain/openai@1.6.0",
    ],
    suites: ["test/contract/clients"],
  },
];
/** Not those in a browser, whose page is the same whatever Node serves it. */
const projects = ["--project", "unit", "--project", "fronts"];
const minutes = 60_000;

function npm(folder: string, ...args: string[]): void {
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", [...args, ...quiet], { cwd: folder, stdio: "inherit", timeout: 5 * minutes });
}

/** A copy of what git knows of and is still there, so that nothing of this machine is in it. */
function copyProject(to: string): void {
  const listed = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  for (const file of listed
    .split("\0")
    .filter((name) => name !== "" && existsSync(join(root, name)))) {
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

function runSuites(node: string, project: string, suites: readonly string[]): boolean {
  const { status } = spawnSync(
    node,
    ["node_modules/vitest/vitest.mjs", "run", ...projects, ...suites],
    {
      cwd: project,
      stdio: "inherit",
      timeout: 5 * minutes,
    },
  );
  return status === 0;
}

/** Runs every stage under every Node; gives a line for each that fails. */
function runStages(scratch: string, project: string): readonly string[] {
  const runtimes = nodes.map((version) => ({ version, node: installNode(version, scratch) }));
  return stages.flatMap(({ packages, suites }) => {
    npm(project, "install", "--no-save", "--force", ...packages);
    return runtimes.flatMap(({ version, node }) => {
      const setting = `Node ${version} with ${packages.join(", ")}`;
      console.log(`\n${setting}`);
      return runSuites(node, project, suites) ? [] : [setting];
    });
  });
}

const scratch = mkdtempSync(join(tmpdir(), "backlot-compat-"));
try {
  const project = join(scratch, "project");
  mkdirSync(project);
  copyProject(project);
  npm(project, "ci");
  const failed = runStages(scratch, project);
  if (failed.length > 0) {
    console.error(`The suites fail under ${failed.join("; and under ")}.`);
    process.exitCode = 1;
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
