import type { Drift } from "./drift.ts";
import type { StepSource } from "./step.ts";

/** What came of one request. */
export interface VerifiedRequest {
  readonly source: StepSource;
  readonly interface: "chat" | "rest";
  /** `GET /users?limit=2`. Undefined: there was nothing to ask. */
  readonly request: string | undefined;
  readonly outcome: "same" | "drift" | "skipped";
  /** Why it was skipped. */
  readonly reason?: string;
  readonly drifts: readonly Drift[];
  /** Places that were not compared, and why: `body.id (volatile)`, `body.result.*.email (redacted)`. */
  readonly leftOut: readonly string[];
  /** Milliseconds from the request to the end of the service's answer. */
  readonly durationMs: number;
}

/** What came of all requests, without keys. It is what `--format json` writes. */
export interface VerifyReport {
  /** The version of this shape. */
  readonly version: 1;
  /** The service, by interface. */
  readonly against: { readonly chat?: string; readonly rest?: string };
  readonly counts: {
    /** Requests whose answers were compared. */
    readonly compared: number;
    /** Of these, requests whose answers differ. */
    readonly drifted: number;
    /** Requests that were not sent. */
    readonly skipped: number;
    /** Differences, of which a request can have several. */
    readonly drifts: number;
  };
  readonly requests: readonly VerifiedRequest[];
}

/** Counts what came of requests. */
export function countOutcomes(requests: readonly VerifiedRequest[]): VerifyReport["counts"] {
  const skipped = requests.filter(({ outcome }) => outcome === "skipped").length;
  return {
    compared: requests.length - skipped,
    drifted: requests.filter(({ outcome }) => outcome === "drift").length,
    skipped,
    drifts: requests.reduce((total, { drifts }) => total + drifts.length, 0),
  };
}
