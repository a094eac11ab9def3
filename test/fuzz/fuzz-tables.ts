import fc from "fast-check";
import type { FuzzCase } from "./fuzz-case.ts";
import { shrinkingWhile } from "./random.ts";
import { anyCase } from "./random-tables.ts";
import { runCase } from "./run-case.ts";
import { SqliteJudge } from "./sqlite-judge.ts";

export interface FuzzOptions {
  readonly seed: number;
  /** How fast-check names the one table to repeat. */
  readonly path?: string | undefined;
  /** Queries to ask at least. */
  readonly runs: number;
  /** Told after every table. */
  readonly onTable?: (counts: FuzzCounts) => void;
}

export interface FuzzCounts {
  readonly queries: number;
  readonly writes: number;
  readonly tables: number;
}

export interface FuzzResult extends FuzzCounts {
  readonly sqliteVersion: string;
  /** fast-check's report of the first difference: its seed and path, the smallest known way to it, and what both sides say. */
  readonly disagreement: string | undefined;
}

/** After so many tables the next seed begins. */
const tablesOfSeed = 20;
const shrinkMs = 20_000;

/** Asks SQLite and the store the same until so many queries agree, or something does not. */
export async function fuzzTables({ seed, path, runs, onTable }: FuzzOptions): Promise<FuzzResult> {
  const judge = await SqliteJudge.open();
  let counts: FuzzCounts = { queries: 0, writes: 0, tables: 0 };
  let shrinkEnd: number | undefined;
  let disagreement: string | undefined;
  const property = fc.property(anyCase, (fuzzCase) => {
    if (shrinkEnd === undefined && counts.queries >= runs) return;
    const found = runCase(fuzzCase, judge);
    if (found !== undefined) {
      shrinkEnd ??= performance.now() + shrinkMs;
      throw new Error(`step ${found.step} of these: ${fc.stringify(found)}`);
    }
    if (shrinkEnd !== undefined) return;
    counts = withCase(counts, fuzzCase);
    onTable?.(counts);
  });
  const limited = shrinkingWhile(
    property,
    () => shrinkEnd === undefined || performance.now() < shrinkEnd,
  );
  const one = path === undefined ? { numRuns: tablesOfSeed } : { path, endOnFailure: true };
  let isOver = false;
  while (!isOver) {
    const details = fc.check(limited, {
      seed: seed++,
      includeErrorInReport: true,
      ...one,
    });
    if (details.failed) disagreement = fc.defaultReportMessage(details);
    isOver = path !== undefined || details.failed || counts.queries >= runs;
  }
  const { version } = judge;
  judge.close();
  return { ...counts, sqliteVersion: version, disagreement };
}

function withCase({ queries, writes, tables }: FuzzCounts, { steps }: FuzzCase): FuzzCounts {
  return {
    queries: queries + steps.filter(({ kind }) => kind === "select").length,
    writes: writes + steps.filter((step) => "given" in step || "key" in step).length,
    tables: tables + 1,
  };
}
