import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";

/** Larger bodies are not unpacked. */
const options = { maxOutputLength: 100_000_000 };

const unpackers: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gunzipSync(bytes, options),
  "x-gzip": (bytes) => gunzipSync(bytes, options),
  br: (bytes) => brotliDecompressSync(bytes, options),
  deflate: (bytes) => {
    try {
      return inflateSync(bytes, options);
    } catch {
      // Some servers send it without its header.
      return inflateRawSync(bytes, options);
    }
  },
};

/** Unpacks a body by its content encoding. Undefined: it is not packed so. */
export function unpackBody(bytes: Uint8Array, encoding: string): Uint8Array | undefined {
  try {
    return unpackers[encoding.trim().toLowerCase()]?.(bytes);
  } catch {
    return undefined;
  }
}
