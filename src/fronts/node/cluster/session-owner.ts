import { crc32 } from "node:zlib";

/** The worker, from 0, in which a session is kept: the same for an id at all times. */
export function ownerOf(session: string, workers: number): number {
  return crc32(session) % workers;
}
