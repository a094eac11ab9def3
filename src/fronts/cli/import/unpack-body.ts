import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";

/** Larger bodies are not decompressed. */
const options = { maxOutputLength: 100_000_000 };

const unpackers: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gunzipSync(bytes, options),
  "x-gzip": (bytes) => gunzipSync(bytes, options),
  br: (bytes) => brotliDecompressSync(bytes, options),
  deflate: (bytes) => {
    try {
      return inflateSync(bytes, options);
    } catch {
      // Some servers leave out the header of zlib.
      return inflateRawSync(bytes, options);
    }
  },
};

/** Decompresses a body by its content encoding. Undefined: it is not compressed in that way. */
export function unpackBody(bytes: Uint8Array, encoding: string): Uint8Array | undefined {
  try {
    return unpackers[encoding.trim().toLowerCase()]?.(bytes);
  } catch {
    return undefined;
  }
}
