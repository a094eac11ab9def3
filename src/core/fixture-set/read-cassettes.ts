import {
  type NamedCassette,
  type RecordingRules,
  usualRecordingRules,
} from "../replay/cassette.ts";
import { counted } from "../errors/counted.ts";
import { didYouMean } from "../errors/nearest-name.ts";
import { showText, showValue } from "../errors/show.ts";
import { check } from "../schema/schema.ts";
import { cassetteSchema } from "./format/cassette-format.ts";
import { recordingRulesSchema } from "./format/recording-rules-format.ts";
import type { StateInput } from "./format/state-format.ts";
import type { Findings } from "../schema/findings.ts";

/** Reads the cassettes of a document. `names` are those of their files, by their place. */
export function readCassettes(
  value: unknown,
  names: readonly (string | undefined)[],
  findings: Findings,
): readonly NamedCassette[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    findings.report(["cassettes"], `"cassettes" must be an array, but is ${showValue(value)}.`);
    return [];
  }
  const taken = new Set<string>();
  return value.flatMap((item: unknown, index): readonly NamedCassette[] => {
    const path = ["cassettes", index];
    const input = check(cassetteSchema, item, { path, findings });
    if (input === undefined) return [];
    const fileName = names[index];
    const name = fileName ?? input.name ?? `cassette-${index + 1}`;
    if (input.name !== undefined && input.name !== name) {
      const message = `The cassette is called as its file, ${showText(name)}. Remove "name", or rename the file.`;
      findings.report([...path, "name"], message);
    }
    if (taken.has(name)) {
      const message = `Another cassette is called ${showText(name)}. Give each cassette a "name" of its own.`;
      findings.report(input.name === undefined ? path : [...path, "name"], message);
    }
    taken.add(name);
    return [{ ...input, name }];
  });
}

/** Reads what cassettes are recorded and replayed by. Names of headers become lower-case. */
export function readRecordingRules(value: unknown, findings: Findings): RecordingRules {
  if (value === undefined) return usualRecordingRules;
  const input = check(recordingRulesSchema, value, { path: ["recording"], findings });
  if (input === undefined) return usualRecordingRules;
  const headers = (input.headers ?? usualRecordingRules.headers).map((name) => name.toLowerCase());
  return { ...usualRecordingRules, ...input, headers };
}

/** Reports counts of recordings that are not there. */
export function checkPlayed(
  { played = {} }: StateInput,
  cassettes: readonly NamedCassette[],
  findings: Findings,
): void {
  const names = cassettes.map(({ name }) => name);
  for (const [name, counts] of Object.entries(played)) {
    const cassette = cassettes.find((one) => one.name === name);
    const path = ["state", "played", name];
    if (cassette === undefined) {
      const message = `There is no cassette ${showText(name)}.${didYouMean(name, names)}`;
      findings.report(path, message, { at: "key" });
    } else if (counts.length > cassette.recordings.length) {
      const recordings = counted(cassette.recordings.length, "recording");
      const verb = counts.length === 1 ? "is" : "are";
      const message = `There ${verb} ${counted(counts.length, "count")}, but the cassette has ${recordings}.`;
      findings.report(path, message);
    }
  }
}
