import { unzipSync } from "fflate";

/** Archives that unpack to more are not read. */
const mostBytes = 1_000_000_000;

/** The files of a zip archive, by name. Throws where it is none, or too large. */
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
