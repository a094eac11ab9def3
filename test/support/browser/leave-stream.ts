/** How a page gives a stream up. */
export const leavings = ["abort", "cancel reader", "cancel body"] as const;

/** How a stream is given up, the body of its request, and how many there are with it. */
interface Leaving {
  readonly how: (typeof leavings)[number];
  readonly body: string;
  readonly count: number;
}

/** Runs in the page: the milliseconds until the emulator knows that a stream was given up. */
export async function leaveStream({ how, body, count }: Leaving): Promise<number> {
  const leaving = new AbortController();
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", body, headers, signal: leaving.signal };
  const response = await fetch("/v1/chat/completions", init);
  if (how !== "cancel body") {
    const reader = response.body?.getReader();
    await reader?.read();
    if (how === "cancel reader") void reader?.cancel();
  } else void response.body?.cancel();
  if (how === "abort") leaving.abort();
  const left = performance.now();
  while ((globalThis.remote?.exchanges() ?? count) < count) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return performance.now() - left;
}
