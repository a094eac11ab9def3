/**
 * How long a start takes, from the creation of the process to its first answer: `backlot start` with the built-in
 * fixtures and with a copy of them, which is checked as a user's own are, beside a bare node:http server, in turn.
 * Needs a build.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { median } from "./cpu-time.ts";
import { type Goals, printSheet, showFigure } from "./report.ts";
import type { Setup } from "./setup.ts";

const rounds = 21;
const goal = 1.7;

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

const bare = [pathOf("bare-server.mjs")];

function start(fixtures: string): readonly string[] {
  return [pathOf("../dist/command/backlot.js"), "start", fixtures, "--port", "0", "--log", "json"];
}

function get(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: "Bearer local-token" };
    const request = http.get(`${url}/rest/products/1`, { headers, agent: false }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", reject);
  });
}

/** Milliseconds until the first answer of a script, which then runs on for a while. */
async function timeStart(script: readonly string[], runsOnMs = 0): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, [...script], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    const status = await get(JSON.parse(String(line)).url);
    if (status !== 200) throw new Error(`The first answer has the status ${status}.`);
    const took = performance.now() - started;
    await setTimeout(runsOnMs);
    return took;
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

/** Times starts in turn, and judges the ratio to the bare server's. */
export async function benchStartUp({ goals }: Pick<Setup, "goals">): Promise<void> {
  const builtIn = pathOf("../fixtures");
  const own = mkdtempSync(join(tmpdir(), "backlot-start-up-"));
  cpSync(builtIn, own, { recursive: true });
  try {
    const times = await timeInTurn({ bare, builtIn: start(builtIn), own: start(own) });
    printTimes(times, goals);
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
  // A first start takes longer: it leaves what V8 compiled for the next ones, a second after it began.
  await timeStart(scripts.builtIn, 1500);
  for (let round = -1; round < rounds; round++) {
    const time = {
      bare: await timeStart(scripts.bare),
      builtIn: await timeStart(scripts.builtIn),
      own: await timeStart(scripts.own),
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
