import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder whose lockfile has what users install today. */
export const today: string = fileURLToPath(new URL("../today", import.meta.url));

const { dependencies }: { dependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(today, "package.json"), "utf8"),
);

/** The packages that are installed by name, with their versions. */
export const versionsOfToday: Readonly<Record<string, string>> = dependencies;
