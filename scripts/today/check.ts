import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { today, versionsOfToday } from "../../test/support/today.ts";
import { installNode } from "../compat/nodes.ts";
import { hasOwnPackages, installOwnPackages } from "../compat/own-packages.ts";
import { inScratchFolder, minutes, root } from "../compat/scratch.ts";
import { type Suite, suitesOf } from "./suites.ts";

interface Given {
  /** The path of a Node. */
  readonly node?: string | undefined;
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
    const program = node ?? (isNewEnough() ? process.execPath : installNode(newestEven(), scratch));
    if (!hasOwnPackages(today) && !installOwnPackages(today, "--ignore-scripts")) {
      throw new Error(`The packages of ${today} could not be installed.`);
    }
    const found = join(scratch, "found.json");
    passed = runVitest(program, tarball, found);
    const result = { node: versionOf(program), packages: versionsOfToday, suites: suitesOf(found) };
    tell(result);
    if (report !== undefined) writeFileSync(report, `${JSON.stringify(result, null, 2)}\n`);
  });
  return passed;
}

/** What users install today needs Node 24, or a later one of an even major. */
function isNewEnough(): boolean {
  const major = Number.parseInt(process.versions.node, 10);
  return major >= 24 && major % 2 === 0;
}

/** The newest Node of an even major: those of odd ones are not kept. */
function newestEven(): string {
  const listed = execFileSync("npm", ["view", "node", "versions", "--json"], { encoding: "utf8" });
  const versions: readonly string[] = JSON.parse(listed);
  const even = versions.filter((version) => /^\d*[02468]\.\d+\.\d+$/.test(version));
  const collator = new Intl.Collator("en", { numeric: true });
  const newest = even.toSorted((one, other) => collator.compare(one, other)).at(-1);
  if (newest === undefined) throw new Error("The registry has no Node of an even major.");
  return newest;
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
