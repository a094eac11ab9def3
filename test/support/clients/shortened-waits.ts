import { vi } from "vitest";

/** What a client sets a timer from; the runtime's own fetch has timers too, which must not change. */
const setByClient = /[\\/]node_modules[\\/](openai|ai|@ai-sdk|@langchain)[\\/]/;

/** In milliseconds. What is longer is a client's timeout. */
const longestWait = 120_000;

export interface ShortenedWaits extends Disposable {
  /** How long the client would have waited, in milliseconds. */
  readonly waits: readonly number[];
}

/** Has the waits of clients end at once, and keeps how long they would have been. */
export function shortenWaits(): ShortenedWaits {
  const waits: number[] = [];
  const { setTimeout: real } = globalThis;
  const spy = vi.spyOn(globalThis, "setTimeout");
  spy.mockImplementation((run, ms = 0) => {
    const isWait = ms > 0 && ms <= longestWait && setByClient.test(new Error("here").stack ?? "");
    if (!isWait) return real(run, ms);
    waits.push(ms);
    return real(run, 0);
  });
  return { waits, [Symbol.dispose]: () => spy.mockRestore() };
}
