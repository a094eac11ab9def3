import type { Call, CallBody, CallHeaders } from "../http/call.ts";

/** A fetch request as the core sees it. Its body is read only when the core asks for it. */
export function callFromRequest(
  request: Request,
  { bodyLimit, signal }: { readonly bodyLimit: number; readonly signal: AbortSignal },
): Call {
  const url = new URL(request.url);
  let body: Promise<CallBody> | undefined;
  const call: Call & { received: Uint8Array | undefined } = {
    method: request.method,
    path: url.pathname,
    query: url.search.slice(1),
    headers: headersOf(request, url),
    readBody: (limit = bodyLimit) => (body ??= readNow(limit)),
    received: undefined,
    signal,
  };
  const readNow = async (limit: number): Promise<CallBody> => {
    const read = await readWithin(request, limit);
    if (read.kind === "bytes") call.received = read.bytes;
    return read;
  };
  return call;
}

/** Without a prototype, so that no header is found that was not sent. */
function headersOf(request: Request, { host }: URL): CallHeaders {
  const headers: Record<string, string | undefined> = Object.create(null);
  // The runtimes of browsers and Node leave it out.
  headers["host"] = host;
  for (const [name, value] of request.headers) headers[name] = value;
  return headers;
}

/** Reads a body of at most `limit` bytes. */
async function readWithin(request: Request, limit: number): Promise<CallBody> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) {
    return { kind: "too-large", limit };
  }
  if (request.body === null) return { kind: "bytes", bytes: new Uint8Array() };
  const reader = request.body.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { kind: "bytes", bytes: join(parts, size) };
      size += value.byteLength;
      if (size > limit) {
        void reader.cancel().catch(() => undefined);
        return { kind: "too-large", limit };
      }
      parts.push(value);
    }
  } catch {
    return { kind: "aborted" };
  }
}

function join(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const joined = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.byteLength;
  }
  return joined;
}
