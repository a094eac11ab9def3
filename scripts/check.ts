/**
 * Checks the project: `npm run check` its source and all tests, `npm run check -- <stage>` one of the stages below. What
 * follows a stage's name is for the stage.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pack, root } from "./compat/scratch.ts";
import { runCommands } from "./run-commands.ts";

const source = ["oxfmt --check", "npm run build", "npm run typecheck", "npm run lint", "knip"];
const tests = "vitest run --config vitest.check.config.ts";

const stages: Readonly<Record<string, () => unknown>> = {
  /** Form, build, types, lint, and what is not used. */
  source: () => runCommands(source),
  /** All tests, the slow ones among them, or those in the files that are named. */
  tests: () => runCommands([[tests, ...process.argv.slice(2)].join(" ")]),
  /** The gate: the tests under each Node, and what users install today. */
  matrix: () => import("./check-matrix.ts"),
  /** What users install today. */
  today: () => import("./check-today.ts"),
  /** The same with what is newest in the registry. */
  latest: () => import("./check-latest.ts"),
  /** The package's types under each TypeScript. */
  types: () => import("./check-types.ts"),
  /** The package in Bun, Deno and workerd. */
  runtimes: () => import("./check-runtimes.ts"),
  /** A file of each kind that can be imported, and documents of real interfaces. */
  imports: () => import("./check-imports.ts"),
  /** The tutorial, command by command. */
  tutorial: () => import("./tutorial.ts"),
  /** From an empty folder to the first test. */
  "first-steps": () => import("./first-steps.ts"),
  /** The scripts of `examples/agents` beside real agent programs. */
  agents: () => import("./agents.ts"),
  /** Several processes behind nginx, one of which dies. */
  scale: () => import("./scale.ts"),
};

/** The source, and all tests with the package as the source's stage has built it. */
function checkAll(): void {
  runCommands(source);
  const packed = join(root, ".tsbuild/packed");
  rmSync(packed, { recursive: true, force: true });
  mkdirSync(packed, { recursive: true });
  process.env["TEST_TARBALL"] = pack(packed, { isBuilt: true });
  runCommands([tests]);
}

const [name] = process.argv.slice(2);
if (name === undefined) checkAll();
else if (Object.hasOwn(stages, name)) {
  process.argv.splice(2, 1);
  await stages[name]?.();
} else {
  console.error(
    `error: There is no stage "${name}". Usage: npm run check [-- <${Object.keys(stages).join("|")}>]`,
  );
  process.exitCode = 2;
}
