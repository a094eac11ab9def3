import { visibleLines } from "../../../core/errors/visible-text.ts";
import type { Core } from "../../../core/emulator/core.ts";
import { counted, quoteList } from "../../../core/errors/show.ts";
import type { FixtureSet } from "../../../core/fixture-set/fixture-set.ts";
import { hasExpired } from "../../../core/recordings/expiry.ts";
import { describeUnused } from "../../../core/recordings/unused-recordings.ts";
import { exitCodes, type Io } from "../io.ts";

type Warn = (message: string) => void;

/** Reports the recordings that no request has used. Returns the exit code of a run without other problems. */
export function tellUnused(
  { fixtures: { cassettes, recording }, plays }: Core,
  { io, warn }: { readonly io: Pick<Io, "stderr">; readonly warn: Warn },
): number {
  const { unusedRecordings: then = "warn" } = recording;
  const message =
    then === "ignore" ? undefined : describeUnused(cassettes, plays, { how: "backlot record" });
  if (message === undefined) return exitCodes.done;
  if (then === "warn") {
    warn(message);
    return exitCodes.done;
  }
  // Shown even if the log is silent.
  io.stderr.write(`${visibleLines(message)}\n`);
  return exitCodes.problem;
}

/** The cassettes that have not expired. Warns of the others, which a run that records replaces. */
export function keepFresh(
  { cassettes, recording: { expiresIn } }: FixtureSet,
  { now, isRecording = false, warn }: { now: number; isRecording?: boolean; warn: Warn },
): FixtureSet["cassettes"] {
  const expired = cassettes.filter((cassette) => hasExpired(cassette, expiresIn, now));
  if (expired.length === 0) return cassettes;
  const names = quoteList(
    expired.slice(0, 5).map(({ name }) => name),
    "and",
  );
  const count = `${counted(expired.length, "cassette")} ${expired.length === 1 ? "is" : "are"}`;
  const then = isRecording ? "Recording anew" : "Record anew with backlot record";
  warn(`${count} older than ${expiresIn}: ${names}. ${then}.`);
  return isRecording ? cassettes.filter((cassette) => !expired.includes(cassette)) : cassettes;
}
