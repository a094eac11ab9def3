import {
  type CassetteSet,
  type NamedCassette,
  type RecordedRequest,
  type Recording,
} from "../../../core/recordings/cassette.ts";
import { groupBy } from "../group-by.ts";
import { placeholdersIn } from "./placeholders.ts";
import type { PlayCounts } from "../../../core/recordings/play-counts.ts";
import { type CompiledRules, compileRules } from "../../../core/recordings/recording-rules.ts";
import { requestDifferences } from "./request-differences.ts";
import { requestKey } from "./request-key.ts";

/** A recording and its place. */
export interface PlacedRecording {
  /** The name of the recording's cassette. */
  readonly cassette: string;
  /** The recording's index in the cassette, from 0. */
  readonly index: number;
  readonly recording: Recording;
  /** The rules by which the recording's request is compared. */
  readonly rules: CompiledRules;
}

/** Recordings whose requests are compared by the same rules. */
interface Comparison {
  readonly rules: CompiledRules;
  readonly byKey: ReadonlyMap<string, readonly PlacedRecording[]>;
  /** Recordings with placeholders. They are compared one by one. */
  readonly withPlaceholders: readonly (readonly PlacedRecording[])[];
}

/** The recordings of one interface, found by request. */
export class RecordingBook {
  readonly rules: CompiledRules;
  /** Cassettes in order, and their recordings in order. */
  readonly all: readonly PlacedRecording[];
  readonly #comparisons: readonly Comparison[];

  constructor({ cassettes, rules }: CassetteSet, of: NamedCassette["interface"]) {
    this.rules = compileRules(rules);
    const ofInterface = cassettes.filter((cassette) => cassette.interface === of);
    // Most requests have no rules of their own.
    const compiled = new Map([["[]", this.rules]]);
    const rulesFor = ({ volatile = [] }: RecordedRequest): CompiledRules => {
      const key = JSON.stringify(volatile);
      const known =
        compiled.get(key) ?? compileRules({ ...rules, volatile: [...rules.volatile, ...volatile] });
      compiled.set(key, known);
      return known;
    };
    this.all = ofInterface.flatMap(placed).map(({ recording, ...place }) => {
      const request = this.rules.sameRequest(recording.request);
      return { ...place, recording: { ...recording, request }, rules: rulesFor(recording.request) };
    });
    this.#comparisons = Array.from(
      groupBy(this.all, (one) => one.rules),
      comparisonOf,
    );
  }

  /**
   * The recording to replay for a request: the first matching one that has not been replayed yet, else the last one.
   */
  next(request: RecordedRequest, plays: PlayCounts): PlacedRecording | undefined {
    const exact = this.#comparisons.map(({ rules, byKey }) =>
      byKey.get(requestKey(request, rules)),
    );
    const same =
      this.#inOrder(exact.flatMap((found) => found ?? [])) ?? this.#fitting(request) ?? [];
    return same.find(({ cassette, index }) => plays.of(cassette, index) === 0) ?? same.at(-1);
  }

  /** Recordings of several comparisons in the order in which they were made. Undefined: there are none. */
  #inOrder(found: readonly PlacedRecording[]): readonly PlacedRecording[] | undefined {
    if (found.length === 0) return undefined;
    return this.#comparisons.length === 1 ? found : this.all.filter((one) => found.includes(one));
  }

  #fitting(request: RecordedRequest): readonly PlacedRecording[] | undefined {
    return this.#comparisons
      .flatMap(({ withPlaceholders }) => withPlaceholders)
      .find(([first]) => {
        if (first === undefined) return false;
        const { recording, rules } = first;
        return requestDifferences(recording.request, request, rules).next().done === true;
      });
  }
}

function comparisonOf([rules, recordings]: readonly [
  CompiledRules,
  readonly PlacedRecording[],
]): Comparison {
  const byKey = groupBy(recordings, ({ recording }) => requestKey(recording.request, rules));
  const withPlaceholders = [...byKey].flatMap(([key, same]) =>
    placeholdersIn(key, rules).length === 0 ? [] : [same],
  );
  return { rules, byKey, withPlaceholders };
}

function placed({ name, recordings }: NamedCassette): readonly Omit<PlacedRecording, "rules">[] {
  return recordings.map((recording, index) => ({ cassette: name, index, recording }));
}
