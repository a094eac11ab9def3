import type { NamedCassette, RecordingRules } from "../../../core/recordings/cassette.ts";
import { compileRules } from "../../../core/recordings/recording-rules.ts";
import { requestKey } from "../replay/request-key.ts";

/** Older cassettes, with only the recordings of requests that newer cassettes have, too. */
export function keepRenewed(
  older: readonly NamedCassette[],
  newer: readonly NamedCassette[],
  rules: RecordingRules,
): readonly NamedCassette[] {
  const compiled = compileRules(rules);
  const keysOf = ({ recordings }: NamedCassette): readonly string[] =>
    recordings.map(({ request }) => requestKey(compiled.sameRequest(request), compiled));
  const keys = new Set(newer.flatMap(keysOf));
  return older.map((cassette) => {
    const own = keysOf(cassette);
    return {
      ...cassette,
      recordings: cassette.recordings.filter((_, index) => keys.has(own[index] ?? "")),
    };
  });
}
