import type { Call } from "../../src/core/http/call.ts";

/** What of a call is not its method and target. */
export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes are sent as they are, anything else as JSON with its content type. */
  readonly body?: unknown;
}

const encoder = new TextEncoder();

/** A call as a front would make it. `target` is the path, with the query if any, still percent-encoded. */
export function call(method: string, target: string, options: CallOptions = {}): Call {
  const [path = "", ...query] = target.split("?");
  const { body } = options;
  const isJson = body !== undefined && typeof body !== "string" && !(body instanceof Uint8Array);
  const given = Object.entries(options.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  const headers: Record<string, string> = {
    ...(isJson ? { "content-type": "application/json" } : {}),
    ...Object.fromEntries(given),
  };
  const bytes = { kind: "bytes", bytes: bodyBytes(body) } as const;
  return {
    method,
    path,
    query: query.join("?"),
    headers,
    readBody: () => Promise.resolve(bytes),
    received: bytes.bytes,
    signal: new AbortController().signal,
  };
}

function bodyBytes(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array();
  if (body instanceof Uint8Array) return body;
  return encoder.encode(typeof body === "string" ? body : JSON.stringify(body));
}
