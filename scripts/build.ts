// Makes dist: what tsc emits, with the tokenizer in it, then the command and the worker's script, one file each.
import { execFileSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = (script: string, ...args: string[]): void => {
  execFileSync(process.execPath, [script, ...args], { cwd: root, stdio: "inherit" });
};

rmSync(`${root}dist`, { recursive: true, force: true });
run("node_modules/typescript/bin/tsc", "-b", "--force");
// Declares a module that the plugin makes up, so there is nothing for tsc to emit.
copyFileSync(`${root}src/fronts/vite/client.d.ts`, `${root}dist/fronts/vite/client.d.ts`);
run("scripts/bundle-tokenizer.mjs");
run("scripts/bundle-command.mjs");
await import("./build-worker.ts");
