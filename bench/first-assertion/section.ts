/**
 * How long a test file takes from its first import to its first assertion: with `emulator.fetch`, with Backlot behind
 * msw, and with three handlers of msw written by hand. Each file runs in a process of its own, in turn. Needs a build.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { median } from "../cpu-time.ts";
import { makeProject } from "../project.ts";
import { type Goals, printSheet, showFigure } from "../report.ts";
import type { Setup } from "../setup.ts";

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
  const project = makeProject(files);
  try {
    for (const runner of ["node", "vitest"] as const) {
      printTimes(runner, timeInTurn(project, runner), goals);
    }
    printStages(project, goals);
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

const stages = [
  'import "backlot"',
  "createEmulator",
  "first table answer, with Node's fetch classes",
  "first chat",
] as const;

/** What a file in plain Node waits for, as a ratio to the first `Request` and `Response` of Node itself. */
function printStages(project: string, goals: Goals): void {
  const run = (name: string): readonly number[] => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [`${name}.mjs`], {
      cwd: project,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${name} failed:\n${stderr}`);
    return JSON.parse(stdout);
  };
  const rounds = Array.from({ length: runners.node.rounds }, () => {
    const [classes = NaN] = run("fetch-classes");
    const times = run("stages");
    return { classes, times: [...times, times.reduce((sum, time) => sum + time, 0)] };
  });
  const rows = [...stages, "all four"].map((label, at) => {
    const value = median(rounds.map(({ times, classes }) => (times[at] ?? NaN) / classes));
    const name = "first answers, times Node's own first Request and Response";
    const isAll = at === stages.length;
    return [
      label,
      showFigure(median(rounds.map(({ times }) => times[at] ?? NaN))),
      showFigure(value),
      isAll ? goals.judge({ name, value, goal: 3, is: "atMost", unit: "×" }) : "",
    ];
  });
  const own = showFigure(median(rounds.map(({ classes }) => classes)));
  printSheet({
    title: `First answers by emulator.fetch: milliseconds, median of ${rounds.length} rounds`,
    head: ["", "time", "× Node's classes", "goal"],
    rows: [["Node's own first Request, Response and json()", own, "1", ""], ...rows],
  });
}
