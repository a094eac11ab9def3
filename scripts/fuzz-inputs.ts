/**
 * Sends the emulator what nobody should: `npm run fuzz -- [<kind>…] [--count n] [--seed s]`. Without a kind all are
 * tried, one after the other. Every 5,000 inputs or so have a seed of their own, one more than those before, so a run that
 * was ended goes on with the next. `npm run fuzz -- <kind> --seed s --path p` repeats what was found.
 *
 * All of it is packed first: what compiles a module when it is imported also looks at each late `import()` after that,
 * which half of the time went to.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

// Within the package, whose package.json it looks for.
const builds = fileURLToPath(new URL("../.tsbuild/", import.meta.url));
mkdirSync(builds, { recursive: true });
const folder = mkdtempSync(join(builds, "fuzz-"));
await build({
  entryPoints: [fileURLToPath(new URL("fuzz/run-kinds.ts", import.meta.url))],
  outdir: folder,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  packages: "external",
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "error",
});
const run = spawn(process.execPath, [join(folder, "run-kinds.mjs"), ...process.argv.slice(2)], {
  stdio: "inherit",
});
// A terminal tells both, and whoever ends this one alone wants the other to say how far it came.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => run.kill("SIGTERM"));
run.on("exit", (code) => {
  rmSync(folder, { recursive: true });
  process.exitCode = code ?? 1;
});
