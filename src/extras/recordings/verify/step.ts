import type { Place } from "../../../core/replay/recording-path.ts";
import type { Asked } from "./asked.ts";
import type { KnownShapes } from "./known-shapes.ts";

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
export interface Step {
  readonly source: StepSource;
  readonly interface: Asked["interface"];
  /** Undefined: there is nothing to ask. */
  readonly asked: Asked | undefined;
  /** Why it is left out. Undefined: it is asked. */
  readonly skipped?: string;
  readonly known?: KnownShapes;
  /** Places whose values are compared, too. */
  readonly stable: readonly Place[];
  readonly facts?: readonly Fact[];
  /** See `CompareRules`. */
  readonly isUnfinished?: boolean;
}

/** How a reader finds the source: `cassettes/chat-hello.json 2`, `lists the models`. */
export function nameOf(source: StepSource): string {
  return "check" in source ? source.check : `cassettes/${source.cassette}.json ${source.number}`;
}
