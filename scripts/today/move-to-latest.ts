import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { today } from "../../test/support/today.ts";

/** A package of the lockfile that has another version now. */
export interface Change {
  readonly name: string;
  /** `none` if the package was not there. */
  readonly from: string;
  readonly to: string;
}

const manifest = join(today, "package.json");
const lockfile = join(today, "package-lock.json");

/**
 * Has the registry give what is newest, directly and below, for a Node by its path. Gives what changed, the direct ones
 * first.
 */
export function moveToLatest(node: string): readonly Change[] {
  const npm = npmUnder(node);
  const before = versions();
  const { dependencies, ...rest } = JSON.parse(readFileSync(manifest, "utf8"));
  const names = Object.keys(dependencies);
  const newest = names.map((name) => [name, npm("view", name, "dist-tags.latest").trim()]);
  writeFileSync(
    manifest,
    `${JSON.stringify({ ...rest, dependencies: Object.fromEntries(newest) }, null, 2)}\n`,
  );
  npm("update", "--package-lock-only", "--no-audit", "--no-fund", "--loglevel=error");
  const changes = changesBetween(before, versions());
  return changes.toSorted((one, other) => rank(one, names) - rank(other, names));
}

function rank({ name }: Change, direct: readonly string[]): number {
  return direct.includes(name) ? 0 : 1;
}

/** Npm prefers versions that run on the Node that it runs on itself. */
function npmUnder(node: string): (...args: readonly string[]) => string {
  const PATH = `${dirname(node)}${delimiter}${process.env["PATH"]}`;
  const env = { ...process.env, PATH };
  return (...args) => execFileSync("npm", [...args], { cwd: today, encoding: "utf8", env });
}

/** Those at the top of `node_modules`: the ones that the project gets. */
function versions(): ReadonlyMap<string, string> {
  const { packages }: { packages: Readonly<Record<string, { version?: string }>> } = JSON.parse(
    readFileSync(lockfile, "utf8"),
  );
  const found = new Map<string, string>();
  for (const [place, { version }] of Object.entries(packages)) {
    const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place) ?? [];
    if (name !== undefined && version !== undefined) found.set(name, version);
  }
  return found;
}

function changesBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly Change[] {
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((name) => {
    const change = { name, from: before.get(name) ?? "none", to: after.get(name) ?? "none" };
    return change.from === change.to ? [] : [change];
  });
}
