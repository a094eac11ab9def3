import { unzipSync } from "fflate";

/** The most bytes that an archive may unpack to. */
const mostBytes = 1_000_000_000;

/** The files of a zip archive, by name. Throws if it is not a zip archive, or too large. */
export function readZip(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  let total = 0;
  const files = unzipSync(bytes, {
    filter: ({ originalSize }) => {
      total += originalSize;
      if (total > mostBytes) throw new Error("it unpacks to more than 1 GB");
      return true;
    },
  });
  return new Map(Object.entries(files));
}
