import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes of the heap, and of what hangs on it, that are in use after it was swept. */
export function heapInUse(): number {
  sweep ??= sweeper();
  sweep();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

let sweep: (() => void) | undefined;

/** As `node --expose-gc` gives it, without the flag. */
function sweeper(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

/** Samples of a heap that has to stay as it is. */
export class HeapBound {
  readonly samples: number[] = [];

  /** What is wrong with a heap that has come to this many bytes. */
  take(bytes: number): string | undefined {
    this.samples.push(bytes);
    const [first = bytes] = this.samples;
    const most = first * 1.2 + allowance;
    if (bytes <= most) return undefined;
    return `memory grows: the heap has come from ${megabytes(first)} to ${megabytes(bytes)}`;
  }
}

/** What is compiled and loaded late. */
const allowance = 6_000_000;

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
