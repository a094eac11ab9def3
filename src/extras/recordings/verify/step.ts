import type { RecordingPath } from "../../../core/replay/cassette.ts";
import type { Place } from "../../../core/replay/recording-path.ts";
import type { Shapes } from "./compare.ts";

/** Something that holds of an answer's JSON, or does not. */
export interface Fact {
  /** Such as `at most 2 rows`. */
  readonly name: string;
  readonly holds: (body: unknown) => boolean;
}

/** Where a request comes from. */
export type StepSource =
  /** `number` is its place in the cassette, from 1. */
  { readonly cassette: string; readonly number: number } | { readonly check: string };

/** One request that is to be compared, or why it is not. */
export interface VerifyStep {
  readonly source: StepSource;
  readonly interface: ComparedRequest["interface"];
  /** Undefined: there is nothing to ask. */
  readonly asked: ComparedRequest | undefined;
  /** Why it is left out. Undefined: it is asked. */
  readonly skipped?: string | undefined;
  /** What other answers to such a request have. */
  readonly known?: Shapes | undefined;
  /** Places whose values are compared, too. */
  readonly stable: readonly Place[];
  readonly facts?: readonly Fact[];
  /** Milliseconds that the recorded answer took to its end. Undefined: it did not end, or nothing is recorded. */
  readonly recordedMs?: number | undefined;
  /** The emulator's answer is a recording that ends before the service did: nothing is known of what came then. */
  readonly isUnfinished?: boolean;
}

/** How a reader finds the source: `cassettes/chat-hello.json 2`, `lists the models`. */
export function sourceName(source: StepSource): string {
  return "check" in source ? source.check : `cassettes/${source.cassette}.json ${source.number}`;
}

/** A request as both the service and the emulator are asked it. */
export interface ComparedRequest {
  readonly interface: "chat" | "rest";
  readonly method: string;
  /** Below the interface's mount point, still percent-encoded. */
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  /** By lower-case name, without the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** Whether the key goes with it. Default true. */
  readonly withKey?: boolean;
}

/** How a reader knows a request: `GET /users?limit=2`. */
export function requestLine({ method, path, query }: ComparedRequest): string {
  return query === "" ? `${method} ${path}` : `${method} ${path}?${query}`;
}

/** One request that tells whether a service keeps the contract, as data. */
export interface ContractCheck {
  /** What a service does that keeps it: `lists the models`. */
  readonly name: string;
  /** What the fixtures lack for it, in words: `a chat model`. Undefined: it can be asked. */
  readonly lacks?: string | undefined;
  /** Default: `GET`. */
  readonly method?: string;
  readonly path: string;
  readonly query?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly text?: string;
  readonly withKey?: boolean;
  readonly facts?: readonly Fact[];
  /** Places whose values are compared, too. */
  readonly stable?: readonly RecordingPath[];
}

/** Makes checks that share what is given, each with a name and what it has besides. */
export function checksWith(
  shared: Omit<ContractCheck, "name">,
): (name: string, own?: Partial<ContractCheck>) => ContractCheck {
  return (name, own) => ({ ...shared, name, ...own });
}

/** A name that nothing has. */
export const absentName = "backlot-verify-none";
