import type { RecordingPath } from "../../../core/replay/cassette.ts";
import type { ComparedRequest, Fact } from "./step.ts";
import type { VerifySubject } from "./subject.ts";

/** What a check asks. */
export interface CheckRequest {
  /** Default: `GET`. */
  readonly method?: string;
  readonly path: string;
  readonly query?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly text?: string;
  readonly withKey?: false;
  readonly facts?: readonly Fact[];
}

/** One request that tells whether a service keeps the contract, as data. */
export interface ContractCheck {
  /** What a service does that keeps it: `lists the models`. */
  readonly name: string;
  readonly interface: ComparedRequest["interface"];
  /** Finds what to ask. Undefined: fixtures do not have what it needs. */
  readonly request: (subject: VerifySubject) => CheckRequest | undefined;
  /** What it needs of fixtures, in words: `a chat model`. */
  readonly needs?: string;
  /** Places whose values are compared, too. */
  readonly stable?: readonly RecordingPath[];
}

const encoder = new TextEncoder();

/** The request of a check. */
export function askedBy(
  { interface: room }: ContractCheck,
  request: CheckRequest,
): ComparedRequest {
  const { method = "GET", path, query = "", json, text, withKey = true } = request;
  const sent = text ?? (json === undefined ? undefined : JSON.stringify(json));
  const body = sent === undefined ? undefined : encoder.encode(sent);
  return { interface: room, method, path, query, headers: {}, body, withKey };
}

/** A name that nobody has. */
export const nobody = "backlot-verify-none";
