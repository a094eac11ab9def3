import type { CallHeaders } from "./call.ts";

/** The values from which an answerer explains how an answer came about. */
export interface AnswerScene {
  readonly headers: CallHeaders;
  /** The request's body; undefined if it had none, or it was not read. */
  readonly body: Uint8Array | undefined;
  /** The session's tables as they are now. Only the tables interface knows their type. */
  readonly tables?: unknown;
}

/** A condition of a script, and what it saw. */
export interface SeenCriterion {
  /** Its place in the script's `when`, such as `user` or `header.x-tenant`. */
  readonly criterion: string;
  readonly expected: string;
  readonly seen: string;
}

/** A failed condition of a script. */
export interface MissedCriterion extends SeenCriterion {
  /** How near the values are, in words; absent when they are not near. */
  readonly near?: string;
}

/** A script that did not match, with every failed condition. */
export interface MissedScript {
  readonly script: string;
  readonly failures: readonly MissedCriterion[];
  /** The places of the conditions that held; absent if none did. */
  readonly held?: readonly string[];
  /** Why the script was used up; absent if it was not. */
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
  /** How the table looks for rows: a scan in row id order, by row id, or by an index. */
  readonly access: {
    readonly by: "scan" | "row id" | "index";
    /** The index's columns. */
    readonly columns?: readonly string[];
    readonly search?: "equal" | "range" | "all";
  };
  /** The number of rows that the access finds. */
  readonly candidates: number;
  /** The conditions that are tested row by row. */
  readonly tests: readonly PlanTest[];
  /** How rows are ordered: as found, by sorting all of them, or by keeping only the first ones. */
  readonly order: "as found" | "sorted" | { readonly first: number };
}

/** A recorded answer of a real service. */
export interface RecordingPlace {
  /** The name of the recording's cassette. */
  readonly cassette: string;
  /** The recording's position in the cassette, from 1. */
  readonly number: number;
}

/** A difference between a request and a recorded one. A value that one side lacks is left out. */
export interface RequestDifference {
  /** The place of the difference, such as `body.messages.0.content`. */
  readonly at: string;
  /** The recorded value as JSON, or the part of it that shows the difference. */
  readonly recorded?: string;
  readonly sent?: string;
}

/** The closest recording to a request, and the differences. */
export interface ClosestRecording extends RecordingPlace {
  readonly differences: readonly RequestDifference[];
}

/** A row before and after a write, as JSON. */
export interface RowChange {
  readonly table: string;
  /** The values of its key, by column. */
  readonly key: Readonly<Record<string, unknown>>;
  /** Null: the write added it. */
  readonly before: Readonly<Record<string, unknown>> | null;
  /** Null: the write deleted it. */
  readonly after: Readonly<Record<string, unknown>> | null;
}

/**
 * The source of an answer and its effects, without keys that do not apply. Making it must be cheap, since lists show
 * it.
 */
export interface AnswerOutcome {
  readonly script?: string;
  /** The index of the script's reply, from 0. Left out if the script has only one. */
  readonly reply?: number;
  /** The id of the planned fault that answered or delayed the answer. */
  readonly fault?: string;
  /** The recording that was replayed. */
  readonly recording?: RecordingPlace;
  /** How many rows were read. */
  readonly rows?: number;
  /** What a write changed: of a changed row only the columns that differ, of a new or deleted one only its key. */
  readonly change?: RowChange;
}

/** How an answer came about, as data, without keys that do not apply. */
export interface AnswerDetails {
  /** The scripts that came closest without a match, closest first. */
  readonly misses?: readonly MissedScript[];
  /** How many scripts did not match in all, including those in `misses`. */
  readonly missed?: number;
  /** The conditions of the script that answered, which all held. */
  readonly matched?: readonly SeenCriterion[];
  /** The later scripts that would have matched, too. */
  readonly alsoMatching?: readonly string[];
  readonly plan?: AnswerPlan;
  /** What a write changed, with whole rows. */
  readonly change?: RowChange;
  /** For requests refused as not recorded. */
  readonly closestRecording?: ClosestRecording;
}

/**
 * The source of an answer. The journal keeps it with the exchange and hardly ever reads it, so it must be small, cheap
 * to make, and must not keep rows alive.
 */
export interface Answerer {
  /** A short name for a log, such as `script "weather" reply 1`. */
  readonly label: (scene: AnswerScene) => string;
  readonly outcome: () => AnswerOutcome;
  readonly details: (scene: AnswerScene) => AnswerDetails;
  /** About how many bytes this answerer keeps alive, without those that an earlier call has counted. Default: few. */
  readonly takeSize?: () => number;
}

/** What is known of an answer from its source alone. */
export function outcomeOf(answeredBy: string | Answerer | undefined): AnswerOutcome {
  return typeof answeredBy === "object" ? answeredBy.outcome() : {};
}

/** How an answer came about; empty if that is unknown. */
export function detailsOf(
  answeredBy: string | Answerer | undefined,
  scene: AnswerScene,
): AnswerDetails {
  return typeof answeredBy === "object" ? answeredBy.details(scene) : {};
}

/** The source of an answer, in a few words; undefined if unknown. */
export function labelOf(
  answeredBy: string | Answerer | undefined,
  scene: AnswerScene,
): string | undefined {
  return typeof answeredBy === "object" ? answeredBy.label(scene) : answeredBy;
}
