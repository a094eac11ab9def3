/** Garbage of one measurement must not be collected in the time of another. */

/** Collects all there is. The process has to run with `--expose-gc`. */
export function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error("The garbage collector is not exposed.");
  for (let time = 0; time < 2; time++) globalThis.gc();
}
