/**
 * Runs suites with each Node and each msw, in a temporary folder: a few of them with each pair, then those of the chat
 * clients with their newer majors. `npm run check:compat -- --all` also tries Node 22, and runs the whole contract
 * with the newest pair, which takes two minutes more. All suites with msw 2 and the older majors, under the Node at hand, is what `npm test` runs. Node 20 has not
 * what msw 3 uses (`Promise.withResolvers`).
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { readArguments } from "./arguments.ts";
import { installNode } from "./compat/nodes.ts";
import { inScratchFolder, minutes, npm, root } from "./compat/scratch.ts";

const usage = "Usage: npm run check:compat [-- --all]";
const { all } = readArguments(usage, { options: { all: { type: "boolean" } } }).values;

/** The oldest that is promised, and newer ones. */
const oldest = "20.19.0";
const middle = "22.23.3";
const newest = "24.21.0";
/** Between the oldest and the newest only where all is tried. */
const newer = all ? [middle, newest] : [newest];

const msw = "msw@3.0.5";

/** A little of both interfaces, with each transport. */
const few = [
  "test/contract/rest-read.contract.test.ts",
  "test/contract/chat-stream.contract.test.ts",
  "test/fronts/msw",
];

interface Stage {
  /** They are installed over those of the project. */
  readonly packages: readonly string[];
  readonly nodes: readonly string[];
  readonly suites: readonly string[];
}

const stages: readonly Stage[] = [
  { packages: [], nodes: [oldest, ...newer], suites: few },
  ...(all ? [{ packages: [msw], nodes: [middle], suites: few }] : []),
  {
    packages: [msw],
    nodes: [newest],
    suites: all ? ["test/contract/", "test/fronts/msw", "test/core/emulator"] : few,
  },
  {
    packages: [
      msw,
      "openai@7.55.0",
      "ai@7.0.173",
      "@ai-sdk/openai@4.0.118",
      "@ai-sdk/openai-compatible@3.0.92",
      "@langchain/openai@1.6.0",
    ],
    nodes: newer,
    suites: ["test/contract/clients"],
  },
];
/** Not those in a browser, whose page is the same whatever Node serves it. */
const projects = ["--project", "unit", "--project", "fronts"];

/** A copy of what git knows of and is still there, so that nothing of this machine is in it. */
function copyProject(to: string): void {
  const listed = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    { cwd: root, encoding: "utf8" },
  );
  for (const file of listed
    .split("\0")
    .filter((name) => name !== "" && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(root, file), join(to, file));
  }
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

/** Runs every stage under its Nodes; gives a line for each that fails. */
function runStages(scratch: string, project: string): readonly string[] {
  const paths = new Map(
    [oldest, ...newer].map((version) => [version, installNode(version, scratch)]),
  );
  return stages.flatMap(({ packages, nodes, suites }) => {
    if (packages.length > 0) npm(project, "install", "--no-save", "--force", ...packages);
    return nodes.flatMap((version) => {
      const setting = `Node ${version} with ${packages.join(", ") || "the packages of the project"}`;
      console.log(`\n${setting}`);
      return runSuites(paths.get(version) ?? "", project, suites) ? [] : [setting];
    });
  });
}

await inScratchFolder("compat", (scratch) => {
  const project = join(scratch, "project");
  mkdirSync(project);
  copyProject(project);
  npm(project, "ci");
  const failed = runStages(scratch, project);
  if (failed.length > 0) {
    console.error(`The suites fail under ${failed.join("; and under ")}.`);
    process.exitCode = 1;
  }
});
