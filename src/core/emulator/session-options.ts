import { invalidOption, refuseUnknown } from "../errors/emulator-error.ts";
import { readOption } from "../settings/settings.ts";
import type { Snapshot } from "./state.ts";

/** How a session starts. Defaults come from the base session. */
export interface SessionOptions {
  /** A snapshot of this emulator, or the name of one. Default: the base session as it is now. */
  readonly from?: string | Snapshot;
  /** A fixed time for replies: an ISO date, a Date or Unix time in milliseconds. */
  readonly clock?: string | number | Date;
  /** The seed of ids and random choices, a whole number. */
  readonly seed?: number;
}

/** What a session starts with, where it differs from the base session. */
export interface SessionStart {
  readonly from?: Snapshot | undefined;
  /** Unix time in milliseconds. */
  readonly clock?: number | undefined;
  readonly seed?: number | undefined;
}

const names: readonly string[] = ["from", "clock", "seed"];
const cannot = "Cannot begin the session";

/** Throws `ERR_OPTION_INVALID` for an unknown option. */
export function refuseWrongStart(options: object): void {
  refuseUnknown(options, names, { cannot, noun: "option" });
}

/** Reads options given by code. Throws `ERR_OPTION_INVALID`. */
export function readSessionStart(
  options: SessionOptions,
  snapshotOf: (name: string) => Snapshot,
): SessionStart {
  refuseWrongStart(options);
  const { from } = options;
  return {
    from: from === undefined ? undefined : givenSnapshot(from, snapshotOf),
    clock: checkedTime(readOption("clock", options)),
    seed: readOption("seed", options),
  };
}

/** A snapshot, given directly or by name. Throws `ERR_OPTION_INVALID`. */
export function givenSnapshot(
  given: string | Snapshot,
  snapshotOf: (name: string) => Snapshot,
): Snapshot {
  if (typeof given === "string") return snapshotOf(given);
  if (typeof given === "object" && given !== null && "tables" in given) return given;
  throw invalidOption(
    `Cannot use the snapshot ${String(given)}: it is not a snapshot. Pass a result of snapshot(), or a name.`,
  );
}

/** Refuses a time whose year has more than four digits, which an export could not write. */
function checkedTime(time: number | undefined): number | undefined {
  if (time === undefined || new Date(time).toISOString().length === usualLength) return time;
  throw invalidOption(
    `${cannot}: the year of its clock is not from 0 to 9999. Give a date in that range.`,
  );
}

const usualLength = "2024-01-01T00:00:00.000Z".length;
