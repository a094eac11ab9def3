/**
 * What a row by key costs a test that has Backlot in its process: by `emulator.fetch`, beside the `Request` and
 * `Response` that a caller makes and reads, and through msw, beside a handler of msw written by hand. Each runs in a
 * process of its own, in turn. Needs a build.
 */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { median } from "../cpu-time.ts";
import { makeProject } from "../project.ts";
import { printSheet, showFigure } from "../report.ts";
import type { Setup } from "../setup.ts";

const files = fileURLToPath(new URL("files", import.meta.url));
const rounds = 7;

/** Each beside what it is compared with, and how many times as much it may take. */
const pairs = [
  {
    name: "emulator-fetch",
    label: "emulator.fetch",
    than: "classes-only",
    thanLabel: "Request and Response alone",
    goal: 2,
  },
  {
    name: "msw-handlers",
    label: "msw, handlers(emulator)",
    than: "msw-by-hand",
    thanLabel: "msw, one handler by hand",
    goal: 1.1,
  },
] as const;

function cpuOf(project: string, name: string): number {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${name}.mjs`], {
    cwd: project,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${name} failed:\n${stderr}`);
  return JSON.parse(stdout);
}

/** Measures them in turn, and judges the ratios. */
export async function benchInProcess({ goals }: Pick<Setup, "goals">): Promise<void> {
  const project = makeProject(files);
  try {
    const rows = pairs.flatMap(({ name, label, than, thanLabel, goal }) => {
      const found = Array.from({ length: rounds }, () => ({
        base: cpuOf(project, than),
        own: cpuOf(project, name),
      }));
      const value = median(found.map(({ base, own }) => own / base));
      const judged = goals.judge({
        name: `a row by key, ${label}, times ${thanLabel}`,
        value,
        goal,
        is: "atMost",
        unit: "×",
      });
      return [
        [thanLabel, showFigure(median(found.map(({ base }) => base))), "", ""],
        [label, showFigure(median(found.map(({ own }) => own))), showFigure(value), judged],
      ];
    });
    printSheet({
      title: `GET of a row by key in one process: microseconds of CPU, median of ${rounds} rounds`,
      head: ["", "CPU", "×", "goal"],
      rows,
    });
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}
