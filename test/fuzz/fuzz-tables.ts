import type { FuzzCase } from "./fuzz-case.ts";
import { randomCase } from "./random-tables.ts";
import { reproduction } from "./reproduction.ts";
import { runCase } from "./run-case.ts";
import { shrink } from "./shrink.ts";
import { SqliteJudge } from "./sqlite-judge.ts";

export interface FuzzOptions {
  /** The first table is made from this number, the next one from the number after it, and so on. */
  readonly seed: number;
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
  /** The smallest known way to the first difference. */
  readonly disagreement: string | undefined;
}

/** Asks SQLite and the store the same until so many queries agree, or something does not. */
export async function fuzzTables({ seed, runs, onTable }: FuzzOptions): Promise<FuzzResult> {
  const judge = await SqliteJudge.open();
  let counts: FuzzCounts = { queries: 0, writes: 0, tables: 0 };
  let disagreement: string | undefined;
  while (counts.queries < runs && disagreement === undefined) {
    const fuzzCase = randomCase(seed + counts.tables);
    const found = runCase(fuzzCase, judge);
    if (found !== undefined) disagreement = smallest(fuzzCase, found.step, judge);
    counts = withCase(counts, fuzzCase);
    onTable?.(counts);
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

function smallest(fuzzCase: FuzzCase, step: number, judge: SqliteJudge): string {
  const small = shrink(fuzzCase, step, (candidate) => runCase(candidate, judge) !== undefined);
  const found = runCase(small, judge);
  if (found === undefined) throw new Error(`Seed ${fuzzCase.seed} fails only at times.`);
  return reproduction(small, found);
}
