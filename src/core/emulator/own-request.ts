/**
 * Whether a value is a request. Its properties decide, since requests of polyfills, of other realms and of libraries
 * are no instances of the global `Request`.
 */
export function isRequest(value: unknown): value is Request {
  return typeof value === "object" && value !== null && "url" in value && "method" in value;
}

/** Makes an instance of the global `Request` of any request. `base` is for an address that is relative, as with polyfills. */
export function ownRequest(request: Request, base: string): Request {
  const isOwn: boolean = request instanceof Request;
  if (isOwn) return request;
  const { url, method } = request;
  const headers = new Headers();
  // Not all headers objects have an iterator.
  request.headers.forEach((value, name) => headers.append(name, value));
  const body = method === "GET" || method === "HEAD" ? null : bodyOf(request);
  const init: RequestInit & { readonly duplex: "half" } = { method, headers, body, duplex: "half" };
  return new Request(new URL(url, base), init);
}

/** The body of another library's request, read when it is asked for. Null: it has none. */
function bodyOf(request: Request): ReadableStream<Uint8Array> | null {
  // Polyfills have no streams, and leave `body` undefined.
  if (request.body === null) return null;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const bytes = await readWhole(request);
        if (bytes.byteLength > 0) controller.enqueue(bytes);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

async function readWhole(request: Request): Promise<Uint8Array> {
  try {
    return new Uint8Array(await request.arrayBuffer());
  } catch (error) {
    if (request.bodyUsed) throw error;
    // Where there are no blobs, whatwg-fetch only reads text.
    return new TextEncoder().encode(await request.text());
  }
}

/** Whether a value is an abort signal, of any realm or library. */
export function isSignal(value: unknown): value is AbortSignal {
  return (
    typeof value === "object" && value !== null && "aborted" in value && "addEventListener" in value
  );
}

/** An abort signal with all of today's methods. Signals of polyfills have no `reason` and no `throwIfAborted`. */
export function ownSignal(signal: AbortSignal): AbortSignal {
  const isWhole: boolean = "throwIfAborted" in signal;
  if (isWhole) return signal;
  const own = new AbortController();
  // The default reason, as if the caller had given none.
  const follow = (): void => own.abort();
  if (signal.aborted) follow();
  else signal.addEventListener("abort", follow);
  return own.signal;
}
