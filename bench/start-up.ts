/**
 * How long a start takes, from the creation of the process to its first answer: `backlot start` with the built-in
 * fixtures and with a copy of them, which is checked as a user's own are, beside a bare node:http server, in turn.
 * Needs a build.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import module from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { median } from "./cpu-time.ts";
import { read, residentBytes, withServer } from "./process/server.ts";
import { type Goals, printSheet, showFigure } from "./report.ts";
import type { Setup } from "./setup.ts";

const rounds = 21;
/** Node 20 cannot keep what it compiled. */
const goal = "enableCompileCache" in module ? 1.5 : 1.8;

/** Milliseconds after which a server that nobody asks is idle, rounds, and the memory that it may have. */
const idle = { afterMs: 2500, rounds: 3, goal: 1.2 };

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

const bare = [pathOf("bare-server.mjs")];

function start(fixtures: string): readonly string[] {
  return [pathOf("../dist/command/backlot.js"), "start", fixtures, "--port", "0", "--log", "json"];
}

/** Milliseconds until the first answer of a script, which then runs on for a while, and its memory after that. */
function timeStart(script: readonly string[], runsOnMs = 0): Promise<Start> {
  return withServer(script, async ({ url, pid, started }) => {
    await read(`${url}/rest/products/1`);
    const ms = performance.now() - started;
    await setTimeout(runsOnMs);
    return { ms, bytes: residentBytes(pid) };
  });
}

interface Start {
  readonly ms: number;
  readonly bytes: number;
}

/** Times starts in turn, and judges the ratio to the bare server's. */
export async function benchStartUp({ goals }: Pick<Setup, "goals">): Promise<void> {
  const builtIn = pathOf("../fixtures");
  const own = mkdtempSync(join(tmpdir(), "backlot-start-up-"));
  cpSync(builtIn, own, { recursive: true });
  try {
    const times = await timeInTurn({ bare, builtIn: start(builtIn), own: start(own) });
    printTimes(times, goals);
    await benchIdle(start(builtIn), goals);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

interface StartUps<Each> {
  readonly bare: Each;
  readonly builtIn: Each;
  readonly own: Each;
}

async function timeInTurn(scripts: StartUps<readonly string[]>): Promise<StartUps<number>[]> {
  const times: StartUps<number>[] = [];
  // A first start takes longer. Node 22 and newer keep what they compiled when a process ends by itself.
  await withServer(scripts.builtIn, ({ url }) => read(`${url}/rest/products/1`), "SIGTERM");
  for (let round = -1; round < rounds; round++) {
    const time = {
      bare: (await timeStart(scripts.bare)).ms,
      builtIn: (await timeStart(scripts.builtIn)).ms,
      own: (await timeStart(scripts.own)).ms,
    };
    if (round >= 0) times.push(time);
  }
  return times;
}

function printTimes(times: readonly StartUps<number>[], goals: Goals): void {
  const row = (label: string, of: keyof StartUps<number>): string[] => [
    label,
    showFigure(median(times.map((time) => time[of]))),
    of === "bare" ? "" : showFigure(median(times.map((time) => time[of] / time.bare))),
  ];
  const value = median(times.map((time) => time.builtIn / time.bare));
  const judged = goals.judge({
    name: "start-up, times bare node:http",
    value,
    goal,
    is: "atMost",
    unit: "×",
  });
  printSheet({
    title: `Start-up to first answer: milliseconds, median of ${rounds} rounds`,
    head: ["", "time", "× bare", "goal"],
    rows: [
      row("bare node:http", "bare"),
      [...row("backlot start", "builtIn"), judged],
      row("with a user's folder, its templates checked", "own"),
    ],
  });
}

/** Weighs servers that have answered once, in turn. */
async function benchIdle(script: readonly string[], goals: Goals): Promise<void> {
  const found: { readonly base: number; readonly own: number }[] = [];
  for (let round = 0; round < idle.rounds; round++) {
    const base = (await timeStart(bare, idle.afterMs)).bytes;
    found.push({ base, own: (await timeStart(script, idle.afterMs)).bytes });
  }
  const value = median(found.map(({ base, own }) => own / base));
  const judged = goals.judge({
    name: "idle memory, times bare node:http",
    value,
    goal: idle.goal,
    is: "atMost",
    unit: "×",
  });
  const megabytes = (of: "base" | "own"): string =>
    showFigure(median(found.map((one) => one[of] / 1e6)));
  printSheet({
    title: `Memory of an idle server: megabytes, median of ${idle.rounds} rounds`,
    head: ["", "memory", "× bare", "goal"],
    rows: [
      ["bare node:http", megabytes("base"), "", ""],
      ["backlot start", megabytes("own"), showFigure(value), judged],
    ],
  });
}
