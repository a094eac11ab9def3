/** A request of `node:http`, or of an XMLHttpRequest, as msw keeps it. */
interface RawRequest {
  readonly once?: unknown;
  readonly addEventListener?: unknown;
}

/**
 * A signal that is aborted when the client has gone. Msw 2 aborts the request's own signal only for clients of `fetch`.
 * For other clients it keeps the original request, whose events tell: `close` of node:http, `abort` of an
 * XMLHttpRequest. Undefined: use the request's own signal.
 */
export function clientSignal(request: Request): AbortSignal | undefined {
  const raw = rawRequest(request);
  if (raw === undefined) return undefined;
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  if (typeof raw.once === "function") raw.once("close", leave);
  else if (typeof raw.addEventListener === "function") raw.addEventListener("abort", leave);
  else return undefined;
  request.signal.addEventListener("abort", () => gone.abort(request.signal.reason));
  return gone.signal;
}

/** The original request, which msw keeps under a symbol that it does not export. */
function rawRequest(request: Request): RawRequest | undefined {
  const symbol = Object.getOwnPropertySymbols(request).find(
    ({ description }) => description === "kRawRequest",
  );
  const raw: unknown = symbol === undefined ? undefined : Reflect.get(request, symbol);
  return typeof raw === "object" && raw !== null ? raw : undefined;
}
