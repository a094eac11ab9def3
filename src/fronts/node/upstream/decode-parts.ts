import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
} from "node:zlib";
import type { Transform } from "node:stream";
import type { ReceivedPart } from "../extras.ts";

/** Accepts a truncated body, up to where it ends. */
const lenient = { finishFlush: constants.Z_SYNC_FLUSH };

const decoders: Readonly<Record<string, (first: number) => Transform>> = {
  gzip: () => createGunzip(lenient),
  "x-gzip": () => createGunzip(lenient),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  // Some services leave out the two-byte header of zlib.
  deflate: (first) => ((first & 0x0f) === 8 ? createInflate(lenient) : createInflateRaw(lenient)),
};

/**
 * Decompresses a body for its recording, and keeps the time of each part. `limit` is the most bytes of output. Resolves
 * with a message if that fails.
 */
export async function decodeParts(
  parts: readonly ReceivedPart[],
  { coding, limit }: { readonly coding: string; readonly limit: number },
): Promise<readonly ReceivedPart[] | string> {
  const name = coding.trim().toLowerCase();
  if (name === "" || name === "identity") return parts;
  const create = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (create === undefined) {
    return `its body has the content-encoding ${JSON.stringify(coding)}, which cannot be unpacked`;
  }
  const first = parts.find(({ bytes }) => bytes.length > 0)?.bytes[0];
  if (first === undefined) return [];
  try {
    return await unpack(create(first), parts, limit);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `its body cannot be unpacked by its content-encoding ${coding}: ${reason}`;
  }
}

async function unpack(
  decoder: Transform,
  parts: readonly ReceivedPart[],
  limit: number,
): Promise<readonly ReceivedPart[] | string> {
  const decoded: ReceivedPart[] = [];
  let size = 0;
  let atMs = 0;
  decoder.on("data", (bytes: Buffer) => {
    size += bytes.length;
    if (size <= limit) decoded.push({ atMs, bytes });
  });
  const failed = new Promise<never>((_, reject) => decoder.once("error", reject));
  // Prevents an unhandled rejection if the decoder fails after the last wait.
  failed.catch(() => undefined);
  try {
    for (const part of parts) {
      atMs = part.atMs;
      await Promise.race([written(decoder, part.bytes), failed]);
      if (size > limit) return "its body, once unpacked, is too large to be recorded";
    }
    await Promise.race([ended(decoder), failed]);
    return decoded;
  } finally {
    decoder.destroy();
  }
}

function written(decoder: Transform, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => decoder.write(bytes, () => resolve()));
}

function ended(decoder: Transform): Promise<void> {
  return new Promise((resolve) => decoder.once("end", () => resolve()).end());
}
