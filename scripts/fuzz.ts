/**
 * Sends the emulator what nobody should: `npm run fuzz -- [<kind>…] [--count n] [--seed s] [--from i]`. Without a kind
 * all are tried, one after the other. Seed and number alone make an input again, so a run that was ended goes on from
 * where it was.
 *
 * All of it is packed first: what compiles a module when it is imported also looks at each late `import()` after that,
 * which half of the time went to.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = mkdtempSync(join(tmpdir(), "backlot-packed-fuzz-"));
await build({
  entryPoints: [fileURLToPath(new URL("fuzz/run-kinds.ts", import.meta.url))],
  outdir: folder,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "error",
  // Some packages are CommonJS.
  banner: {
    js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`,
  },
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
