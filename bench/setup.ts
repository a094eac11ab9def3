/** What every part of the benchmarks is told. */
import type { Goals } from "./report.ts";

export interface Setup {
  readonly goals: Goals;
}
