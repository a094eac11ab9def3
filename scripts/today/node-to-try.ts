import { execFileSync } from "node:child_process";
import { installNode, nodes } from "../compat/nodes.ts";
import { inScratchFolder } from "../compat/scratch.ts";

/**
 * Does work with the path of a Node that what users install today runs on: the one that is named, else this one, else one
 * that is installed for the time of the work, in the version that the gate runs.
 */
export async function withNode(
  named: string | undefined,
  work: (node: string) => Promise<void>,
  version: () => string = () => nodes.newest,
): Promise<void> {
  const found = named ?? (isNewEnough() ? process.execPath : undefined);
  if (found !== undefined) return work(found);
  await inScratchFolder("node", (scratch) => work(installNode(version(), scratch)));
}

/** What users install today needs Node 24, or a later one of an even major. */
function isNewEnough(): boolean {
  const major = Number.parseInt(process.versions.node, 10);
  return major >= 24 && major % 2 === 0;
}

/** The newest Node of an even major: those of odd ones are not kept. */
export function newestEven(): string {
  const listed = execFileSync("npm", ["view", "node", "versions", "--json"], { encoding: "utf8" });
  const versions: readonly string[] = JSON.parse(listed);
  const even = versions.filter((version) => /^\d*[02468]\.\d+\.\d+$/.test(version));
  const collator = new Intl.Collator("en", { numeric: true });
  const newest = even.toSorted((one, other) => collator.compare(one, other)).at(-1);
  if (newest === undefined) throw new Error("The registry has no Node of an even major.");
  return newest;
}
