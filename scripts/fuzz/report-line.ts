import type { FuzzReport } from "../../test/fuzz/fuzz-run.ts";

/** What a run took. */
export interface Spent {
  readonly seed: number;
  readonly ms: number;
  /** Milliseconds of work of the process, which is less than time where a machine is busy. */
  readonly workMs: number;
  /** The most bytes that the process ever had. */
  readonly peak: number;
}

/** What a run came to, how fast it was, and what memory it took, in one line. */
export function reportLine(report: FuzzReport, { seed, ms, workMs, peak }: Spent): string {
  const { kind, tried, findings, heap, next } = report;
  const parts = [
    `${kind}: ${thousands(tried)} inputs in ${Math.round(ms / 1000)} s`,
    `${thousands(Math.round((tried / ms) * 1000))} a second, ${thousands(Math.round((tried / workMs) * 1000))} in a second of work`,
    `${findings.length} findings`,
    heapText(heap),
    `at most ${megabytes(peak)} in all`,
    `seed ${seed}`,
    `go on with --from ${next}`,
  ];
  return parts.join(", ");
}

function heapText(heap: readonly number[]): string {
  const [first, last] = [heap[0], heap.at(-1)];
  if (first === undefined || last === undefined) return "heap not sampled";
  const growth = `${(last / first).toFixed(2)} times the first of ${heap.length} samples`;
  return `heap ${megabytes(last)}, ${growth}`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

function thousands(number: number): string {
  return number.toLocaleString("en-US");
}
