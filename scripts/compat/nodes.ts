import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npm } from "./scratch.ts";

/** The path of a Node of this version, installed from npm into a folder of its own below `scratch`. */
export function installNode(version: string, scratch: string): string {
  const folder = join(scratch, `node-${version}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  // The package `node` has a script that puts the binary in its place.
  npm(folder, "install", "--prefer-offline", `node@${version}`);
  return join(folder, "node_modules", "node", "bin", "node");
}
