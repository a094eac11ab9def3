import type { CallSource, Core } from "./core.ts";
import { runtimeTimers } from "./environment.ts";
import { callFromRequest } from "./fetch-call.ts";
import { responseFromExchange } from "./fetch-response.ts";
import { wait } from "./wait.ts";

/** Relative addresses are below this one, so that an app's `fetch("/rest/users")` works unchanged. */
const ownAddress = "http://localhost";

/**
 * Keeps a request for as long as its signal is in use: the signal follows the one that the request was made with
 * only while the request itself is referenced.
 */
const requestsBySignal = new WeakMap<AbortSignal, Request>();

/** The caller's own signal, so that nothing needs to follow it. */
function callersSignal(
  request: Request,
  input: Request | URL | string,
  init: RequestInit | undefined,
): AbortSignal {
  if (init?.signal) return init.signal;
  const origin = typeof input === "object" && "signal" in input ? input : request;
  requestsBySignal.set(origin.signal, origin);
  return origin.signal;
}

/** What is fetched, by whom. */
export interface Fetched extends CallSource {
  readonly input: Request | URL | string;
  readonly init?: RequestInit | undefined;
}

/** Answers a request as the global `fetch` does: its arguments, its result, its errors. */
export async function fetchFrom(core: Core, fetched: Fetched): Promise<Response> {
  const { input, init, session, inProcess } = fetched;
  const target = typeof input === "string" ? new URL(input, ownAddress) : input;
  const request = new Request(target, init);
  const signal = callersSignal(request, input, init);
  signal.throwIfAborted();
  const call = callFromRequest(request, { bodyLimit: core.settings.bodyLimit, signal });
  const exchange = await core.handle(call, { session, inProcess });
  const { delayMs = 0 } = exchange.reply;
  const waited = delayMs === 0 || (await wait(delayMs, signal, runtimeTimers));
  if (!waited || signal.aborted) {
    exchange.settle({ chunksSent: 0, aborted: true });
    signal.throwIfAborted();
  }
  return responseFromExchange(exchange, signal, {
    scheduler: core.scheduler,
    isHead: request.method === "HEAD",
  });
}
