import type { Call, CallBody } from "./call.ts";
import { jsonExcess } from "./json-text.ts";

/** A request's body read as JSON, or why that failed. */
export type JsonBody =
  | { readonly kind: "json"; readonly value: unknown }
  /** Not UTF-8, empty, nested too deeply, or not JSON; `message` says which, and where. */
  | { readonly kind: "malformed"; readonly message: string }
  | { readonly kind: "too-large"; readonly limit: number }
  | { readonly kind: "aborted" };

/** Keeps a byte order mark, which JSON forbids, and refuses invalid UTF-8. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads and parses a request's body, whatever its content type. */
export function readJsonBody(call: Call): Promise<JsonBody> {
  return call.readBody().then(parseBody);
}

/** Parses a request's body. */
export function parseBody(body: CallBody): JsonBody {
  if (body.kind !== "bytes") return body;
  if (body.bytes.byteLength === 0) return { kind: "malformed", message: "the body is empty" };
  let text: string;
  try {
    text = decoder.decode(body.bytes);
  } catch {
    return { kind: "malformed", message: "the body is not UTF-8 text" };
  }
  const excess = jsonExcess(text);
  if (excess !== undefined) return { kind: "malformed", message: excess };
  try {
    return { kind: "json", value: JSON.parse(text) };
  } catch (error) {
    return { kind: "malformed", message: error instanceof Error ? error.message : String(error) };
  }
}
