import type { CallHeaders } from "./call.ts";

/** What is at hand when somebody asks how an answer came about. */
export interface AnswerScene {
  readonly headers: CallHeaders;
  /** The request's; undefined when it had none, or it was not read. */
  readonly body: Uint8Array | undefined;
  /** The session's tables as they are now. Only a room that keeps tables knows what that is. */
  readonly tables?: unknown;
}

/** A condition of a script that does not hold. */
export interface MissedCriterion {
  /** Where it stands in the script's `when`, such as `user` or `header.x-tenant`. */
  readonly criterion: string;
  readonly expected: string;
  readonly seen: string;
  /** How near the one comes to the other, in words; absent when it is not near. */
  readonly near?: string;
}

/** A script that did not match, with every condition that does not hold. */
export interface MissedScript {
  readonly script: string;
  readonly failures: readonly MissedCriterion[];
  /** Why it answered nothing any more; absent when it still could. */
  readonly usedUp?: string;
}

/** A condition on a column. */
export interface PlanTest {
  readonly column: string;
  readonly operator: string;
  readonly value?: string;
  /** For the operator `in`. */
  readonly values?: readonly string[];
}

/** How a table finds the rows of a request. */
export interface AnswerPlan {
  /** Where rows are looked for: all of them in row id order, by row id, or by an index. */
  readonly access: {
    readonly by: "scan" | "row id" | "index";
    /** Of an index. */
    readonly columns?: readonly string[];
    readonly search?: "equal" | "range" | "all";
  };
  /** How many rows that finds. */
  readonly candidates: number;
  /** The conditions that are still tested row by row. */
  readonly tests: readonly PlanTest[];
  /** How they are put in order: not at all, by sorting all of them, or by keeping the first ones only. */
  readonly order: "as found" | "sorted" | { readonly first: number };
}

/** A recording of what a real service answered. */
export interface RecordingPlace {
  /** The name of its cassette. */
  readonly cassette: string;
  /** Its place there, from 1. */
  readonly number: number;
}

/** Where a request differs from one that was recorded. What one of the two lacks is left out. */
export interface RequestDifference {
  /** Such as `body.messages.0.content`. */
  readonly at: string;
  /** As JSON, or as much of it as shows the difference. */
  readonly recorded?: string;
  readonly sent?: string;
}

/** The recording that came closest to a request, and where the two differ. */
export interface ClosestRecording extends RecordingPlace {
  readonly differences: readonly RequestDifference[];
}

/** How an answer came about, as data. What does not apply is left out. */
export interface AnswerDetails {
  readonly script?: string;
  /** Which of the script's `replies`, from 0. Left out where it has one. */
  readonly reply?: number;
  /** The scripts that came closest without a match, closest first. */
  readonly misses?: readonly MissedScript[];
  readonly plan?: AnswerPlan;
  /** The id of the planned fault that answered, or that held the answer back. */
  readonly fault?: string;
  /** The recording that was replayed. */
  readonly recording?: RecordingPlace;
  /** Of a request that was refused since it is not recorded. */
  readonly closestRecording?: ClosestRecording;
}

/**
 * What gave an answer. It is kept with the exchange as long as the journal has that, and nearly never asked: it must be
 * small, cost nothing to make, and keep no rows alive.
 */
export interface Answerer {
  /** In a few words, for a log, such as `script "weather" reply 1`. */
  readonly label: (scene: AnswerScene) => string;
  readonly details: (scene: AnswerScene) => AnswerDetails;
}

/** What gave an answer, in a few words; undefined where nobody says. */
export function labelOf(
  answeredBy: string | Answerer | undefined,
  scene: AnswerScene,
): string | undefined {
  return typeof answeredBy === "object" ? answeredBy.label(scene) : answeredBy;
}
