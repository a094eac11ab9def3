/**
 * What large tables in plain JSON cost who starts a server with them, its columns inferred: the time to the first page,
 * and for the largest also its memory, the first page by a column without an index, and the export. Beside `JSON.parse`
 * and `JSON.stringify` of the same file in a process of their own, in turn. Needs a build.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "../cpu-time.ts";
import { makeItems } from "../items-file.ts";
import { read, residentBytes, type Server, withServer } from "../process/server.ts";
import { printSheet, showCount, showFigure } from "../report.ts";
import type { Setup } from "../setup.ts";

/** Rows, and rounds with so many. The goal is about the first. */
const measured = [
  [100_000, 7],
  [1_000_000, 3],
] as const;

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

const bare = [pathOf("../bare-server.mjs")];

/** Milliseconds, and bytes for each row. */
interface Round {
  readonly bare: number;
  readonly parse: number;
  readonly stringify: number;
  readonly start: number;
  readonly bytes: number;
  readonly filtered: number;
  readonly ordered: number;
  readonly exported: number;
}

async function timed(work: Promise<void>): Promise<number> {
  const started = performance.now();
  await work;
  return performance.now() - started;
}

async function firstPage({ url, started }: Server): Promise<number> {
  await read(`${url}/rest/items?limit=10`);
  return performance.now() - started;
}

const parseScript = `const text = require("node:fs").readFileSync(process.argv[1], "utf8");
  const started = performance.now();
  const value = JSON.parse(text);
  const parsed = performance.now();
  JSON.stringify(value);
  console.log(JSON.stringify([parsed - started, performance.now() - parsed]));`;

async function measure(file: string, size: number): Promise<Round> {
  const [parse = NaN, stringify = NaN]: readonly number[] = JSON.parse(
    execFileSync(process.execPath, ["--eval", parseScript, file], { encoding: "utf8" }),
  );
  const command = [pathOf("../../dist/command/backlot.js"), "start", file];
  const own = await withServer([...command, "--port", "0", "--log", "json"], async (server) => ({
    start: await firstPage(server),
    bytes: residentBytes(server.pid) / size,
    filtered: await timed(read(`${server.url}/rest/items?stock=17&limit=10`)),
    ordered: await timed(read(`${server.url}/rest/items?price.gte=990&sort_by=price&limit=10`)),
    exported: await timed(read(`${server.url}/__backlot/state`)),
  }));
  return { bare: await withServer(bare, firstPage), parse, stringify, ...own };
}

export async function benchLargeTables({ goals }: Pick<Setup, "goals">): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "backlot-large-tables-"));
  try {
    for (const [size, count] of measured) {
      const file = join(folder, "db.json");
      writeFileSync(file, JSON.stringify({ items: makeItems(size) }));
      const rounds: Round[] = [];
      for (let round = 0; round < count; round++) rounds.push(await measure(file, size));
      const middle = (of: (round: Round) => number): number => median(rounds.map(of));
      const value = middle(({ start, bare: base, parse }) => (start - base) / parse);
      const judged = goals.judge({
        name: `start with ${showCount(size)} rows, a bare start taken off, times JSON.parse`,
        value,
        goal: 1.5,
        is: "atMost",
        unit: "×",
      });
      const row = (label: string, of: keyof Round, than?: "parse" | "stringify"): string[] => [
        label,
        showFigure(middle((round) => round[of])),
        than === undefined ? "" : showFigure(middle((round) => round[of] / round[than])),
        "",
      ];
      printSheet({
        title: `A server with ${showCount(size)} rows of seven columns: milliseconds, median of ${count} rounds`,
        head: ["", "time", "×", "goal"],
        rows: [
          row("JSON.parse", "parse"),
          row("JSON.stringify", "stringify"),
          row("bare node:http, start to first answer", "bare"),
          [
            "start to first page",
            showFigure(middle(({ start }) => start)),
            showFigure(value),
            judged,
          ],
          row("first page by a column without an index, × JSON.parse", "filtered", "parse"),
          row("first page in a new order, × JSON.parse", "ordered", "parse"),
          row("export, × JSON.stringify", "exported", "stringify"),
          row("memory: bytes for each row, the process included", "bytes"),
        ],
      });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
