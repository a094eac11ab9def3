import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fixtureSetFrom } from "../../core/emulator/emulator.ts";
import type { NamedCassette } from "../../core/recordings/cassette.ts";
import { withFileLock } from "./file-lock.ts";
import { makeFolders } from "./make-folders.ts";
import { othersRecordings } from "./others-recordings.ts";
import { replaceFile } from "./replace-file.ts";

/** The cassettes in the file of a test. Undefined: there is no file. Rejects if the file is not valid. */
export async function readTape(path: string): Promise<readonly NamedCassette[] | undefined> {
  if (!existsSync(path)) return undefined;
  const tape: unknown = JSON.parse(readFileSync(path, "utf8"));
  return (await fixtureSetFrom(tape, {})).cassettes;
}

/** Writes the cassettes of a test in place of the recordings that are `replaced`. What others have recorded stays. */
export async function writeTape(
  path: string,
  own: readonly NamedCassette[],
  replaced: readonly NamedCassette[],
): Promise<void> {
  await makeFolders(dirname(path));
  await withFileLock(path, async (check) => {
    const cassettes = withOthers(own, (await readTape(path)) ?? [], replaced);
    const text = `${JSON.stringify({ cassettes }, undefined, 2)}\n`;
    await replaceFile(path, [text], { isPrivate: true, check });
  });
}

function withOthers(
  own: readonly NamedCassette[],
  inFile: readonly NamedCassette[],
  replaced: readonly NamedCassette[],
): readonly NamedCassette[] {
  const byName = new Map(own.map((one) => [one.name, one]));
  for (const cassette of inFile) {
    const { name } = cassette;
    const known = replaced.find((one) => one.name === name)?.recordings ?? [];
    const others = othersRecordings(cassette.recordings, known);
    if (others.length === 0) continue;
    const mine = byName.get(name);
    byName.set(name, joined(mine, { ...cassette, recordings: others }));
  }
  return [...byName.values()];
}

/** One cassette with the recordings of two. The age is that of the older one. */
function joined(one: NamedCassette | undefined, other: NamedCassette): NamedCassette {
  if (one === undefined) return other;
  const [recordedAt] = [one.recordedAt, other.recordedAt]
    .filter((time) => time !== undefined)
    .toSorted();
  return { ...one, recordedAt, recordings: [...one.recordings, ...other.recordings] };
}
