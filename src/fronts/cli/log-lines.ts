import type { Output } from "./io.ts";

/** The most bytes of a log that may wait for their reader. */
const mostUnread = 16_000_000;

/**
 * Writes the lines of a log. A reader that stands still, such as a stopped pager, must not fill the memory of the
 * server: further lines are left out until the reader has caught up, and `tellLeftOut` makes the line that says how
 * many.
 */
export class LogLines {
  readonly #output: Output;
  readonly #tellLeftOut: (lines: number) => string;
  #leftOut = 0;

  constructor(output: Output, tellLeftOut: (lines: number) => string) {
    this.#output = output;
    this.#tellLeftOut = tellLeftOut;
  }

  write(line: string): void {
    if (this.#isUnread()) {
      this.#leftOut += 1;
      return;
    }
    if (this.#leftOut > 0) this.#output.write(`${this.#tellLeftOut(this.#leftOut)}\n`);
    this.#leftOut = 0;
    this.#output.write(`${line}\n`);
  }

  /** Whether the reader is too far behind. A reader that was must first read half of what waits. */
  #isUnread(): boolean {
    const unread = this.#output.unread?.() ?? 0;
    return unread > (this.#leftOut > 0 ? mostUnread / 2 : mostUnread);
  }
}
