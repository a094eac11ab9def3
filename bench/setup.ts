/** What every part of the benchmarks is told. */
import type { ContenderName } from "./contenders/all.ts";
import type { Goals } from "./report.ts";

/** Numbers of rows that are measured where none are named. */
export const usualSizes: readonly number[] = [1000, 100_000, 1_000_000];

export interface Setup {
  /** Numbers of rows, where the user named some. */
  readonly sizes: readonly number[] | undefined;
  /** Contenders that could be installed. */
  readonly available: readonly ContenderName[];
  readonly goals: Goals;
}
