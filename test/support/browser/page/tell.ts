import type { PageMessage } from "./messages.ts";

let untold: PageMessage[] = [];

/** Tells the test, at once with what comes in the same moment: each word to it takes several steps between processes. */
export function tell(message: PageMessage): void {
  untold.push(message);
  if (untold.length > 1) return;
  setTimeout(() => {
    const told = untold;
    untold = [];
    void globalThis.hear?.(JSON.stringify(told));
  });
}
