import { EmulatorError } from "../errors/emulator-error.ts";
import { didYouMean } from "../errors/nearest-name.ts";
import { readOption } from "../fixture-set/settings.ts";
import type { Snapshot } from "./state.ts";

/** How a session begins. What is left out is as in the base session. */
export interface SessionOptions {
  /** A snapshot of this emulator, or the name of one. Default: as the base session is now. */
  readonly from?: string | Snapshot;
  /** The time that replies tell, fixed: an ISO date, a Date or milliseconds of Unix time. */
  readonly clock?: string | number | Date;
  /** The whole number that ids and random choices follow from. */
  readonly seed?: number;
}

/** What a session begins with, where that is not what the base session has. */
export interface SessionStart {
  readonly from?: Snapshot | undefined;
  /** Unix time in milliseconds. */
  readonly clock?: number | undefined;
  readonly seed?: number | undefined;
}

const names: readonly string[] = ["from", "clock", "seed"];

/** Reads what code gave. Throws `ERR_OPTION_INVALID`. */
export function readSessionStart(
  options: SessionOptions,
  snapshotOf: (name: string) => Snapshot,
): SessionStart {
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    throw refusal(
      `there is no option "${name}".${didYouMean(name, names)} Use: ${names.join(", ")}.`,
    );
  }
  const { from } = options;
  return {
    from: from === undefined ? undefined : givenSnapshot(from, snapshotOf),
    clock: checkedTime(readOption("clock", options)),
    seed: readOption("seed", options),
  };
}

/** A snapshot, given as itself or by its name. Throws `ERR_OPTION_INVALID`. */
export function givenSnapshot(
  given: string | Snapshot,
  snapshotOf: (name: string) => Snapshot,
): Snapshot {
  if (typeof given === "string") return snapshotOf(given);
  if (typeof given === "object" && given !== null && "tables" in given) return given;
  throw new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot use the snapshot ${String(given)}: it is none. Give what snapshot() gave, or a name.`,
  );
}

/** An export writes it, with a year of four digits. */
function checkedTime(time: number | undefined): number | undefined {
  if (time === undefined || new Date(time).toISOString().length === usualLength) return time;
  throw refusal("its clock stands in no year from 0 to 9999. Give a date in one of them.");
}

const usualLength = "2024-01-01T00:00:00.000Z".length;

function refusal(what: string): EmulatorError {
  return new EmulatorError("ERR_OPTION_INVALID", `Cannot begin the session: ${what}`);
}
