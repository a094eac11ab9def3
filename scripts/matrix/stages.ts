import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { nodes } from "../compat/nodes.ts";
import { minutes, root } from "../compat/scratch.ts";
import { type Count, countBySuite } from "./suites.ts";

/** What a stage is run with. */
interface Tools {
  /** The path of its Node. */
  readonly node: string;
  /** The packed package. */
  readonly tarball: string;
  /** A folder for what it leaves. */
  readonly scratch: string;
}

/** Some suites under one Node. */
export interface Stage {
  readonly name: string;
  /** The version of its Node. */
  readonly node: string;
  readonly run: (tools: Tools) => Outcome;
}

/** How a stage went. */
export interface Outcome {
  /** Whether the program says so. It may fail although all tests pass, for what is thrown outside of them. */
  readonly succeeded: boolean;
  /** By suite; none if it broke down. */
  readonly counts: ReadonlyMap<string, Count>;
}

const check = ["--config", "vitest.check.config.ts"];

/** What depends on Node beyond the language: processes, files, and what hooks into the runtime. */
const ofEveryNode = [
  "test/fronts/cli/",
  "test/fronts/msw/",
  "test/fronts/vitest/",
  "test/fronts/page/own-worker.test.ts",
  "test/fronts/page/start-worker.test.ts",
];
/** What of this is not in `npm test`, since it takes long. */
const slowOfEveryNode = [
  ...check,
  "--project=long",
  "test/fronts/cli/exec-signals.test.ts",
  "test/fronts/cli/export-at-signals.test.ts",
  "test/fronts/cli/record-proxies.test.ts",
  "test/fronts/msw/open-answers.test.ts",
];
/** What random inputs find, which is of the language, not of a Node. */
const fuzz = [...check, "--project=long", "test/fuzz/"];
const packageOfEveryNode = [
  ...check,
  "--project=package",
  "test/package/install.test.ts",
  "test/package/start-cache.test.ts",
  "test/package/starter-tests.test.ts",
];

export const firstSteps = "the first steps of a newcomer";
export const today = "the newest packages";

export const stages: readonly Stage[] = [
  everydayTests(nodes.oldest),
  ours("some slow tests", nodes.oldest, slowOfEveryNode),
  ours("fuzz", nodes.oldest, fuzz),
  ours("the packed package", nodes.oldest, [
    ...packageOfEveryNode,
    "test/package/readme.test.ts",
    "test/package/size.test.ts",
  ]),
  ...nodes.between.flatMap((node) => [
    ours("some tests", node, ofEveryNode),
    ours("the packed package", node, packageOfEveryNode),
  ]),
  everydayTests(nodes.newest),
  ours("some slow tests", nodes.newest, slowOfEveryNode),
  ours("the packed package", nodes.newest, packageOfEveryNode),
  newestPackages(nodes.newest),
  ...[nodes.oldest, ...nodes.between, nodes.newest].map(newcomer),
];

/** The README's own test command. */
function everydayTests(node: string): Stage {
  return reporting("npm test", node, (tools, more) => run("npm", ["test"], { ...tools, more }));
}

/** Some of the project's own tests. */
function ours(name: string, node: string, args: readonly string[]): Stage {
  const command = ["node_modules/vitest/vitest.mjs", "run", ...args];
  return reporting(name, node, (tools, more) => run(tools.node, command, { ...tools, more }));
}

/** Tests that write a report, by which they are counted. */
function reporting(
  name: string,
  node: string,
  runTests: (tools: Tools, more: Environment) => boolean,
): Stage {
  return {
    name,
    node,
    run: (tools) => {
      const report = join(tools.scratch, `report-${name.replaceAll(" ", "-")}-${node}.json`);
      const succeeded = runTests(tools, { TEST_REPORT: report });
      return { succeeded, counts: existsSync(report) ? countBySuite(report) : new Map() };
    },
  };
}

function newestPackages(node: string): Stage {
  return {
    name: today,
    node,
    run: (tools) => {
      const report = join(tools.scratch, "report-of-today.json");
      const succeeded = runScript(tools, "check-today.ts", ["--report", report]);
      return { succeeded, counts: existsSync(report) ? countsOfToday(report) : new Map() };
    },
  };
}

function countsOfToday(report: string): ReadonlyMap<string, Count> {
  const { suites }: TodayReport = JSON.parse(readFileSync(report, "utf8"));
  return new Map(
    suites.map(({ name, tests, failed }) => [
      `${today}: ${name}`,
      { passed: tests - failed, failed },
    ]),
  );
}

interface TodayReport {
  readonly suites: readonly {
    readonly name: string;
    readonly tests: number;
    readonly failed: number;
  }[];
}

function newcomer(node: string): Stage {
  return {
    name: firstSteps,
    node,
    run: (tools) => {
      const succeeded = runScript(tools, "first-steps.ts", []);
      const count = succeeded ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
      return { succeeded, counts: new Map([[firstSteps, count]]) };
    },
  };
}

/** A script of ours, under the Node at hand. It gets the stage's Node and the packed package. */
function runScript(tools: Tools, script: string, args: readonly string[]): boolean {
  const { node, tarball } = tools;
  const given = ["--node", node, "--tarball", tarball, ...args];
  return run(
    process.execPath,
    ["node_modules/tsx/dist/cli.mjs", `scripts/${script}`, ...given],
    tools,
  );
}

type Environment = Readonly<Record<string, string>>;

/** Runs a program. Whatever it starts finds the stage's Node first. */
function run(
  program: string,
  args: readonly string[],
  { node, tarball, more = {} }: Tools & { readonly more?: Environment },
): boolean {
  const { PATH = "" } = process.env;
  const env = {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${PATH}`,
    TEST_TARBALL: tarball,
    ...more,
  };
  const { status } = spawnSync(program, args, {
    cwd: root,
    env,
    stdio: "inherit",
    timeout: 20 * minutes,
  });
  return status === 0;
}
