import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder whose lockfile has what users install today. */
export const today: string = fileURLToPath(new URL("../today", import.meta.url));

/** The packages that are installed by name, with their versions. */
export function readVersionsOfToday(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(today, "package.json"), "utf8")).dependencies;
}
