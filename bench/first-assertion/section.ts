/**
 * How long a test file takes from its first import to its first assertion: with `emulator.fetch`, with Backlot behind
 * msw, and with three handlers of msw written by hand. Each file runs in a process of its own, in turn. Needs a build.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { median } from "../cpu-time.ts";
import { type Goals, printSheet, showFigure } from "../report.ts";
import type { Setup } from "../setup.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const files = fileURLToPath(new URL("files", import.meta.url));

/** Rounds that are timed, after one that is not. */
const runners = {
  node: { rounds: 15, args: ["timed.mjs"] },
  vitest: {
    rounds: 9,
    args: ["node_modules/vitest/vitest.mjs", "run", "--reporter=dot", "timed.test.mjs"],
  },
} as const;
type Runner = keyof typeof runners;

/** What each file is, and how much of the time of handwritten handlers it may take. */
const contenders = {
  handwritten: { label: "msw, three handlers by hand", goal: undefined },
  "backlot-msw": { label: "msw, handlers(emulator)", goal: 1.3 },
  "emulator-fetch": { label: "emulator.fetch", goal: 0.5 },
} as const;
type Contender = keyof typeof contenders;

const names = ["handwritten", "backlot-msw", "emulator-fetch"] as const;
type Round = Readonly<Record<Contender, number>>;

/** A user's project that has the package, msw and vitest. */
function makeProject(): string {
  const project = mkdtempSync(join(tmpdir(), "backlot-first-assertion-"));
  cpSync(files, project, { recursive: true });
  const modules = join(project, "node_modules");
  // As it is installed: what is linked in, vitest would transform.
  for (const part of ["dist", "package.json"]) {
    cpSync(join(root, part), join(modules, "backlot", part), { recursive: true });
  }
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const name of ["msw", "vitest", ...Object.keys(dependencies)]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  return project;
}

/** Milliseconds from the first import to the first assertion. */
function timeFile(project: string, runner: Runner, name: Contender): number {
  const file = pathToFileURL(join(project, `${name}.mjs`)).href;
  const result = join(project, "result.txt");
  const { status, stderr, stdout } = spawnSync(process.execPath, runners[runner].args, {
    cwd: project,
    encoding: "utf8",
    env: { ...process.env, TIMED_FILE: file, TIMED_RESULT: result },
  });
  if (status !== 0) throw new Error(`${name} failed in ${runner}:\n${stdout}${stderr}`);
  return Number(readFileSync(result, "utf8"));
}

function timeInTurn(project: string, runner: Runner): readonly Round[] {
  const rounds: Round[] = [];
  for (let round = -1; round < runners[runner].rounds; round++) {
    const times = names.map((name) => [name, timeFile(project, runner, name)]);
    if (round >= 0) rounds.push(Object.fromEntries(times));
  }
  return rounds;
}

/** Times the files in turn, and judges their ratios to handwritten handlers. */
export async function benchFirstAssertion({ goals }: Pick<Setup, "goals">): Promise<void> {
  const project = makeProject();
  try {
    for (const runner of ["node", "vitest"] as const) {
      printTimes(runner, timeInTurn(project, runner), goals);
    }
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

function printTimes(runner: Runner, rounds: readonly Round[], goals: Goals): void {
  const rows = names.map((name) => {
    const { label, goal } = contenders[name];
    const value = median(rounds.map((round) => round[name] / round.handwritten));
    const judged =
      goal === undefined
        ? ""
        : goals.judge({
            name: `first assertion in ${runner}, ${label}, times handwritten handlers`,
            value,
            goal,
            is: "atMost",
            unit: "×",
          });
    return [
      label,
      showFigure(median(rounds.map((round) => round[name]))),
      showFigure(value),
      judged,
    ];
  });
  printSheet({
    title: `A test file in ${runner}, from first import to first assertion: milliseconds, median of ${rounds.length} rounds`,
    head: ["", "time", "× by hand", "goal"],
    rows,
  });
}
