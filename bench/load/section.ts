/** What loading costs, beside `JSON.parse` of the same file. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Line, printBySize } from "../by-size.ts";
import { median } from "../cpu-time.ts";
import { writeFixtures } from "../items-file.ts";
import { withChild } from "../process/child.ts";
import { type Setup, usualSizes } from "../setup.ts";
import type { loadCalls, LoadRequest, LoadTimes } from "./worker.ts";

/** Rounds of each; the goal is about the first two. */
const rounds = { parse: 3, engine: 3, emulator: 1, sqlite: 1 };
const mostRounds = 3;
/** Few rows are loaded again and again in one process, until there were about so many. */
const rowsPerRound = 200_000;
/** The goal is about a large file. */
const goalSize = 1_000_000;
const goal = { goal: 2, is: "atMost", unit: "×" } as const;

type Loader = keyof typeof loadCalls;
type Times = Readonly<Record<Loader, LoadTimes | undefined>>;

export async function benchLoad({ sizes = usualSizes, available, goals }: Setup): Promise<void> {
  const withSqlite = available.includes("better-sqlite3");
  const folder = mkdtempSync(join(tmpdir(), "backlot-bench-"));
  try {
    const measured = [];
    for (const size of sizes) {
      const file = join(folder, "items.json");
      writeFixtures(file, size);
      const times = Math.max(1, Math.round(rowsPerRound / size));
      const found = await measure({ file, size, times }, withSqlite);
      measured.push({ size, lines: linesOf(found, size) });
    }
    const title = "Load of a file, as a ratio to the CPU time of JSON.parse of the same file";
    printBySize(title, measured, { goals });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The median of several rounds, each in a new process, one loader after the other. */
async function measure(request: LoadRequest, withSqlite: boolean): Promise<Times> {
  const loaders: Loader[] = [
    "parse",
    "engine",
    "emulator",
    ...(withSqlite ? ["sqlite" as const] : []),
  ];
  const found: Record<Loader, LoadTimes[]> = { parse: [], engine: [], emulator: [], sqlite: [] };
  for (let round = 0; round < mostRounds; round++) {
    for (const loader of loaders.filter((name) => round < rounds[name])) {
      const times = await withChild<typeof loadCalls, LoadTimes>("load/worker.ts", (worker) =>
        worker.call(loader, request),
      );
      found[loader].push(times);
    }
  }
  return {
    parse: medianOf(found.parse),
    engine: medianOf(found.engine),
    emulator: medianOf(found.emulator),
    sqlite: medianOf(found.sqlite),
  };
}

function medianOf(times: readonly LoadTimes[]): LoadTimes | undefined {
  if (times.length === 0) return undefined;
  return {
    load: median(times.map(({ load }) => load)),
    indexes: median(times.map(({ indexes }) => indexes)),
  };
}

function linesOf({ parse, engine, emulator, sqlite }: Times, size: number): Line[] {
  const base = parse?.load ?? NaN;
  const ratio = (label: string, time: number | undefined): Line[] =>
    time === undefined ? [] : [{ label, value: time / base }];
  const judged = size === goalSize ? { goal } : {};
  return [
    { label: "JSON.parse, milliseconds", value: base / 1000 },
    ...ratio("file's text to engine, parsing included", engine?.load).map((line) => ({
      ...line,
      ...judged,
    })),
    ...ratio("first use of four indexes", engine?.indexes),
    ...ratio("file to emulator: read, checked, loaded", emulator?.load),
    ...ratio("better-sqlite3: parse, insert in one transaction", sqlite?.load),
    ...ratio("better-sqlite3: four indexes", sqlite?.indexes),
  ];
}
