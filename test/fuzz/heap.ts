import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let sweep: (() => void) | undefined;

/** Bytes of the heap that are in use, after it was swept. */
export function heapInUse(): number {
  sweep ??= sweeper();
  sweep();
  return process.memoryUsage().heapUsed;
}

/** As `node --expose-gc` gives it, without the flag. */
function sweeper(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
