import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * The engine as it is shipped. Run from its source by tsx it would be slower: tsx names every function that is made, at
 * each time that it is made.
 */
type DatabaseModule = typeof import("../../src/core/store/database.ts");

const folder = mkdtempSync(join(tmpdir(), "backlot-bench-"));
const outfile = join(folder, "database.mjs");
const entry = fileURLToPath(new URL("../../src/core/store/database.ts", import.meta.url));
await build({ entryPoints: [entry], outfile, bundle: true, format: "esm", platform: "node" });
const built: DatabaseModule = await import(outfile);
rmSync(folder, { recursive: true });

export type Database = InstanceType<DatabaseModule["Database"]>;
export const loadDatabase: DatabaseModule["Database"]["load"] = built.Database.load.bind(
  built.Database,
);
