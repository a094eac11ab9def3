import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npm } from "./scratch.ts";

interface Nodes {
  /** The oldest that is promised. */
  readonly oldest: string;
  readonly between: readonly string[];
  /** Of an even major: those of odd ones are not kept. */
  readonly newest: string;
}

/** The file of the Nodes that the gate runs, so that the same commit gives the same result tomorrow. */
const pinned = new URL("nodes.json", import.meta.url);

/** The Nodes that the gate runs. */
export const nodes: Nodes = JSON.parse(readFileSync(pinned, "utf8"));

/** The path of a Node of this version, installed from npm into a folder of its own below `scratch`. */
export function installNode(version: string, scratch: string): string {
  const folder = join(scratch, `node-${version}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  // The package `node` has a script that puts the binary in its place.
  npm(folder, "install", "--prefer-offline", `node@${version}`);
  return join(folder, "node_modules", "node", "bin", "node");
}
