/**
 * Runs the tests under each Node, and what users install today under the newest: `npm run check -- matrix`. Prints a line
 * for each stage with its time, and fails with the names of those that fail, or if `docs/fidelity.md` does not say
 * what was tried: `--write` has it say that. `--node 24` runs the stages of one Node alone, to look into it.
 */
import { readArguments } from "./arguments.ts";
import { installNode, nodes } from "./compat/nodes.ts";
import { inScratchFolder, pack } from "./compat/scratch.ts";
import { partOf } from "./matrix/part.ts";
import { type Outcome, type Stage, stages } from "./matrix/stages.ts";
import { page, settlePage } from "./matrix/table.ts";

const usage = "Usage: npm run check -- matrix [--write] [--node <major>]";
const { values, refuse } = readArguments(usage, {
  options: { write: { type: "boolean", default: false }, node: { type: "string" } },
});

interface Run extends Stage {
  readonly outcome: Outcome;
  readonly seconds: number;
}

const chosen = stages.filter(
  ({ node }) => values.node === undefined || node.split(".")[0] === values.node,
);
if (chosen.length === 0) {
  refuse(`--node is "${values.node}". The stages have ${JSON.stringify(nodes)}.`);
}

function runAll(scratch: string): readonly Run[] {
  const tarball = timed("packing", () => pack(scratch));
  const paths = new Map<string, string>();
  return chosen.map((stage) => {
    const { name, node: version } = stage;
    const node =
      paths.get(version) ?? timed(`install Node ${version}`, () => installNode(version, scratch));
    paths.set(version, node);
    console.log(`\n== ${name}, Node ${version}`);
    const started = performance.now();
    const outcome = stage.run({ node, tarball, scratch });
    return { ...stage, outcome, seconds: (performance.now() - started) / 1000 };
  });
}

function timed<Value>(what: string, work: () => Value): Value {
  const started = performance.now();
  const value = work();
  console.log(`== ${what}: ${Math.round((performance.now() - started) / 1000)} s`);
  return value;
}

function hasFailed({ outcome: { succeeded, counts } }: Run): boolean {
  return !succeeded || [...counts.values()].every(({ passed }) => passed === 0);
}

function tell(run: Run): void {
  const all = [...run.outcome.counts.values()];
  const passed = all.reduce((sum, count) => sum + count.passed, 0);
  const failed = all.reduce((sum, count) => sum + count.failed, 0);
  const verdict = hasFailed(run) ? `FAILS, ${failed} failed` : "passes";
  const time = `${Math.round(run.seconds)} s`.padStart(6);
  console.log(`${time}  Node ${run.node.padEnd(8)} ${run.name}: ${verdict}, ${passed} passed`);
}

await inScratchFolder("matrix", (scratch) => {
  const started = performance.now();
  const runs = runAll(scratch);
  console.log("");
  for (const run of runs) tell(run);
  console.log(`${Math.round((performance.now() - started) / 1000)} s in all`);
  const failed = runs.filter(hasFailed);
  if (failed.length > 0) {
    const names = failed.map(({ name, node }) => `${name} under Node ${node}`);
    console.error(`\nThese fail: ${names.join("; ")}.`);
    process.exitCode = 1;
  } else if (values.node === undefined && !settlePage(partOf(runs), { mayWrite: values.write })) {
    console.error(
      `\n${page} does not say what was tried. Write it: npm run check -- matrix --write`,
    );
    process.exitCode = 1;
  }
});
