import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** What npm and the command are told besides: no words that are not errors, and no network where it is not needed. */
export const quietly: Readonly<Record<string, string>> = {
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_loglevel: "error",
  npm_config_prefer_offline: "true",
  npm_config_update_notifier: "false",
  NO_COLOR: "1",
};

/** A way from an empty folder to the first own passing test. */
interface Way {
  readonly runner: string;
  readonly commands: readonly string[];
  /** What the last command prints when the tests have passed. */
  readonly passed: RegExp;
}

export const install = "npm install --save-dev backlot";

/** npm takes the newest Vitest that runs on the Node at hand. */
const ways: readonly Way[] = [
  {
    runner: "node:test",
    commands: [install, "npx backlot init", "npm test"],
    passed: /^. pass 2$/m,
  },
  {
    runner: "Vitest",
    commands: [`${install} vitest`, "npx backlot init", "npx vitest run"],
    passed: /Tests {2}2 passed/,
  },
];

/** A command and the seconds that it took. */
export type Step = readonly [line: string, seconds: number];

/** A way that was gone to its end. */
export interface FirstTest {
  readonly goal: string;
  readonly steps: readonly Step[];
}

/** Goes each way from an empty folder to a passing test, under a Node. Throws an error with what a command printed. */
export function firstTests(node: string, tarball: string, scratch: string): readonly FirstTest[] {
  const version = versionOf(node);
  return ways.map(({ runner, commands, passed }) => {
    const folder = join(scratch, `${version} ${runner}`.replaceAll(/\W+/g, "-"));
    mkdirSync(folder);
    let said = "";
    const steps = commands.map((line): Step => {
      const started = performance.now();
      said = run(line.replace(install, install.replace("backlot", tarball)), folder, node);
      return [line, (performance.now() - started) / 1000];
    });
    if (!passed.test(said)) throw failure(node, `${commands.at(-1)} shows no two tests`, said);
    return { goal: `Node ${version}, ${runner}: an empty folder to the first passing test`, steps };
  });
}

/** Runs a command line in a folder, under a Node. Gives what it prints. */
function run(line: string, cwd: string, node: string): string {
  const PATH = [dirname(node), process.env["PATH"]].join(delimiter);
  const env = { ...process.env, ...quietly, PATH };
  const { status, stdout, stderr } = spawnSync("sh", ["-euc", line], {
    cwd,
    env,
    encoding: "utf8",
  });
  if (status === 0) return stdout;
  throw failure(node, `${line} ends with the exit code ${status}`, stdout + stderr);
}

function failure(node: string, what: string, printed: string): Error {
  return new Error(`Under Node ${versionOf(node)}, ${what}. It prints:\n${printed}`);
}

function versionOf(node: string): string {
  return execFileSync(node, ["--version"], { encoding: "utf8" }).trim().slice(1);
}
