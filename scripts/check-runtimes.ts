/**
 * Installs the packed package, and Bun, Deno and workerd from npm, into a temporary folder: `npm run check -- runtimes`.
 * `emulator.fetch` has to answer in each the same bytes as in this Node. Whether `backlot start` runs there is told,
 * and fails nothing.
 */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { inScratchFolder, makeProject, pack, root } from "./compat/scratch.ts";
import { compareAnswers, type Compared } from "./runtimes/compare-answers.ts";
import { type Runtime, runtimes } from "./runtimes/runtimes.ts";
import { startCommand } from "./runtimes/start-command.ts";

const versions = ["bun@1.4.5", "deno@2.9.6", "workerd@1.20261117.1"];

interface Row {
  readonly runtime: string;
  readonly compared: Compared;
  readonly command: string;
}

async function rowOf(runtime: Runtime, expected: readonly string[]): Promise<Row> {
  const { name, version, transcript, command } = runtime;
  const answers = await transcript().catch((error: unknown) => String(error));
  return {
    runtime: `${name} ${version}`,
    compared: compareAnswers(expected, answers),
    command: command === undefined ? "not tried" : await startCommand(command),
  };
}

function print(rows: readonly Row[]): void {
  const lines = [
    ["runtime", "emulator.fetch", "backlot start"],
    ...rows.map(({ runtime, compared, command }) => [runtime, compared.summary, command]),
  ];
  for (const [runtime = "", fetched = "", started = ""] of lines) {
    console.log(`${runtime.padEnd(24)}${fetched.padEnd(36)}${started}`);
  }
  for (const { runtime, compared } of rows) {
    for (const difference of compared.differences) console.error(`\n${runtime}:\n${difference}`);
  }
}

await inScratchFolder("runtimes", async (scratch) => {
  const project = join(scratch, "project");
  makeProject(project, [pack(scratch)]);
  makeProject(join(scratch, "installed"), versions);
  for (const file of ["smoke.mjs", "print.mjs", "worker.mjs"]) {
    cpSync(join(root, "scripts/runtimes", file), join(project, file));
  }
  const [node, ...others] = runtimes(project, join(scratch, "installed"));
  const expected = await node.transcript();
  const rows: Row[] = [await rowOf(node, expected)];
  for (const runtime of others) rows.push(await rowOf(runtime, expected));
  print(rows);
  if (rows.some(({ compared }) => compared.differences.length > 0)) process.exitCode = 1;
});
