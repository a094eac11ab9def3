import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { readVersionsOfToday, today } from "../../test/support/today.ts";
import { hasOwnPackages, installOwnPackages } from "../compat/own-packages.ts";
import { inScratchFolder, minutes, root } from "../compat/scratch.ts";
import { type Suite, suitesOf } from "./suites.ts";

interface Given {
  /** The path of the Node. */
  readonly node: string;
  readonly tarball?: string | undefined;
  /** The file for the result. */
  readonly report?: string | undefined;
}

/** What `--report` writes. */
interface Report {
  readonly node: string;
  readonly packages: Readonly<Record<string, string>>;
  readonly suites: readonly Suite[];
}

/** Runs all suites with what users install today; gives whether they pass. */
export async function checkToday({ node, tarball, report }: Given): Promise<boolean> {
  let passed = false;
  await inScratchFolder("today", (scratch) => {
    if (!hasOwnPackages(today) && !installOwnPackages(today, "--ignore-scripts")) {
      throw new Error(`The packages of ${today} could not be installed.`);
    }
    const found = join(scratch, "found.json");
    passed = runVitest(node, tarball, found);
    const packages = readVersionsOfToday();
    const result = { node: versionOf(node), packages, suites: suitesOf(found) };
    tell(result);
    if (report !== undefined) writeFileSync(report, `${JSON.stringify(result, null, 2)}\n`);
  });
  return passed;
}

function versionOf(program: string): string {
  return execFileSync(program, ["--version"], { encoding: "utf8" }).trim().slice(1);
}

/** All programs that the tests start find this Node first. */
function runVitest(program: string, tarball: string | undefined, found: string): boolean {
  const args = ["run", "--config", "vitest.today.config.ts"];
  const reporters = ["--reporter=minimal", "--reporter=json", `--outputFile.json=${found}`];
  const { PATH = "" } = process.env;
  const env = {
    ...process.env,
    PATH: `${dirname(program)}${delimiter}${PATH}`,
    ...(tarball === undefined ? {} : { TEST_TARBALL: tarball }),
  };
  const { status } = spawnSync(program, ["node_modules/vitest/vitest.mjs", ...args, ...reporters], {
    cwd: root,
    env,
    stdio: "inherit",
    timeout: 20 * minutes,
  });
  return status === 0;
}

function tell({ node, packages, suites }: Report): void {
  const names = Object.entries(packages).map(([name, version]) => `${name} ${version}`);
  console.log(`\nNode ${node} with ${names.join(", ")}`);
  for (const { name, tests, failed, seconds } of suites) {
    const verdict = failed === 0 ? "pass" : `pass, ${failed} fail`;
    console.log(`${name.padEnd(8)} ${tests - failed} of ${tests} ${verdict}, ${seconds} s`);
  }
}
