import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder of this package, found by its name: sources and build are at different depths below it, and the command
 * has a package.json of its own.
 */
export const packageRoot: string = rootAbove(dirname(fileURLToPath(import.meta.url)));

function rootAbove(folder: string): string {
  if (existsSync(join(folder, "fixtures.schema.json"))) return folder;
  const above = dirname(folder);
  if (above === folder) throw new Error("Backlot's own fixtures.schema.json is missing.");
  return rootAbove(above);
}
