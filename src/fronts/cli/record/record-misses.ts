import { invalidOption } from "../../../core/errors/emulator-error.ts";
import type { FixtureSet } from "../../../core/fixture-set/fixture-set.ts";
import { defined } from "../../../core/schema/json.ts";
import { type FixturePlace, isBuiltIn } from "../../node/fixture-place.ts";
import type { Io } from "../io.ts";
import type { Log } from "../log.ts";
import type { StartFlags } from "../flags.ts";
import { type RecordingSetup, type RunningRecording, beginRecording } from "./recording.ts";
import { statSync } from "node:fs";
import { join, resolve } from "node:path";

export interface MissesContext {
  readonly options: StartFlags;
  readonly place: FixturePlace;
  readonly io: Io;
  readonly log: Log;
  /** Where the server will listen. */
  readonly address: RecordingSetup["address"];
}

/** A recording of what the fixtures do not answer. */
export interface MissesRecording extends RunningRecording {
  /** Reports that the recording has started. */
  readonly tell: () => void;
}

/** Throws `ERR_OPTION_INVALID` for fixtures that recordings cannot be added to. */
export function refuseToRecord(place: FixturePlace, cwd: string): void {
  const advice = "or run backlot record, which needs no fixtures";
  if (isBuiltIn(place, cwd)) {
    throw invalidOption(
      `Cannot record into the built-in set. Run backlot init to get your own fixtures, ${advice}.`,
    );
  }
  if (statSync(resolve(cwd, place.path), { throwIfNoEntry: false })?.isFile() !== true) return;
  throw invalidOption(
    `Cannot record into ${JSON.stringify(place.path)}: recordings are files of a fixtures folder. Name a folder, ${advice}.`,
  );
}

/** Lets real services answer what nothing in the fixtures answers, and records their answers in the fixtures folder. */
export async function recordMisses(
  fixtures: FixtureSet,
  { options, place, io, log, address }: MissesContext,
): Promise<MissesRecording> {
  const { record: chat, recordTables: tables, mode } = options;
  const upstreams = defined({ chat, tables });
  const out = join(place.path, "cassettes");
  const recording = await beginRecording({
    asked: "on-miss",
    upstreams,
    address,
    fixtures,
    mode,
    out,
    as: "cassettes",
    io,
    log,
  });
  const tell = (): void => {
    if (recording.serves.upstream !== undefined)
      log.recording({ event: "recording", upstreams, out });
  };
  return { ...recording, tell };
}
