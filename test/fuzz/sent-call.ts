import type { Call, CallBody } from "../../src/core/http/call.ts";

/** A call as it is kept: nothing but JSON. */
export interface SentCall {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A text is sent as UTF-8; `latin1:` in front stands for bytes. */
  readonly body: string;
  /** What becomes of the body. Default: it comes. */
  readonly fate?: "aborted" | "too-large";
}

const { signal } = new AbortController();
const bytesMark = "latin1:";

/** The call that the core is given. */
export function callOf(sent: SentCall): Call {
  const { method, path, query, headers } = sent;
  return {
    method,
    path,
    query,
    headers,
    readBody: () => Promise.resolve(bodyOf(sent)),
    signal,
  };
}

function bodyOf({ body, fate }: SentCall): CallBody {
  if (fate === "too-large") return { kind: "too-large", limit: 100 };
  if (fate === "aborted") return { kind: "aborted" };
  return { kind: "bytes", bytes: bytesOf(body) };
}

/** The bytes that a text of an input stands for. */
export function bytesOf(body: string): Buffer {
  if (!body.startsWith(bytesMark)) return Buffer.from(body, "utf8");
  return Buffer.from(body.slice(bytesMark.length), "latin1");
}
