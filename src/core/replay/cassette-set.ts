import type { NamedCassette, RecordingRules } from "./cassette.ts";

/** The cassettes that are replayed, and what their requests are compared by. Never changed. */
export interface CassetteSet {
  readonly cassettes: readonly NamedCassette[];
  readonly rules: RecordingRules;
}

/** The cassettes of fixtures. Undefined: they have none. */
export function cassetteSetOf({
  cassettes,
  recording: rules,
}: {
  readonly cassettes: readonly NamedCassette[];
  readonly recording: RecordingRules;
}): CassetteSet | undefined {
  return cassettes.length === 0 ? undefined : { cassettes, rules };
}
