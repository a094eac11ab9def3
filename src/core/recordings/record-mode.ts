import { invalidOption } from "../errors/emulator-error.ts";
import { didYouMean } from "../errors/show.ts";

/** What a run does with recordings. The modes are those of VCR. */
export const recordModes = [
  /** Records if there is no recording yet. Otherwise replays, and refuses what is not recorded. */
  "once",
  /** Replays, and records what is missing. */
  "new",
  /** Records everything again. */
  "all",
  /** Replays, and refuses what is not recorded. */
  "none",
] as const;

export type RecordMode = (typeof recordModes)[number];

/** Whether a run replays existing recordings, and whether it asks the service. */
export interface RecordPlan {
  readonly replays: boolean;
  readonly records: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a run is one of continuous integration, where nobody checks what is recorded. */
export function isContinuous({ CI: ci = "" }: Environment): boolean {
  return ci !== "" && ci !== "false" && ci !== "0";
}

/** The requested mode, else `none` in continuous integration, else the default. */
export function modeFor(
  asked: string | undefined,
  env: Environment,
  otherwise: RecordMode,
): RecordMode {
  if (asked === undefined || asked === "") return isContinuous(env) ? "none" : otherwise;
  const found = recordModes.find((one) => one === asked);
  if (found !== undefined) return found;
  throw invalidOption(
    `Cannot record: there is no mode ${JSON.stringify(asked)}.${didYouMean(asked, recordModes)} Use one of ${recordModes.join(", ")}.`,
  );
}

/** What a run in a mode does, with or without existing recordings. */
export function recordPlan(mode: RecordMode, hasRecordings: boolean): RecordPlan {
  const isFirst = mode === "once" && !hasRecordings;
  return { replays: mode !== "all", records: mode === "new" || mode === "all" || isFirst };
}
