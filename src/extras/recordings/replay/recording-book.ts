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
  /** The name of its cassette. */
  readonly cassette: string;
  /** Its index there, from 0. */
  readonly index: number;
  readonly recording: Recording;
}

/** The recordings of one interface, found by request. */
export class RecordingBook {
  readonly rules: CompiledRules;
  /** Cassettes in order, and their recordings in order. */
  readonly all: readonly PlacedRecording[];
  readonly #byKey: ReadonlyMap<string, readonly PlacedRecording[]>;
  /** Recordings with placeholders. They are compared one by one. */
  readonly #withPlaceholders: readonly (readonly PlacedRecording[])[];

  constructor({ cassettes, rules }: CassetteSet, of: NamedCassette["interface"]) {
    this.rules = compileRules(rules);
    const { sameRequest } = this.rules;
    this.all = cassettes
      .filter((cassette) => cassette.interface === of)
      .flatMap(placed)
      .map(({ recording, ...place }) => {
        const request = sameRequest(recording.request);
        return { ...place, recording: { ...recording, request } };
      });
    this.#byKey = groupBy(this.all, ({ recording }) => requestKey(recording.request, this.rules));
    this.#withPlaceholders = [...this.#byKey].flatMap(([key, same]) =>
      placeholdersIn(key, this.rules).length === 0 ? [] : [same],
    );
  }

  /**
   * The recording to replay for a request: the first matching one that has not been replayed yet, else the last one.
   */
  next(request: RecordedRequest, plays: PlayCounts): PlacedRecording | undefined {
    const same = this.#byKey.get(requestKey(request, this.rules)) ?? this.#fitting(request) ?? [];
    return same.find(({ cassette, index }) => plays.of(cassette, index) === 0) ?? same.at(-1);
  }

  #fitting(request: RecordedRequest): readonly PlacedRecording[] | undefined {
    return this.#withPlaceholders.find(([first]) => {
      const recorded = first?.recording.request;
      if (recorded === undefined) return false;
      return requestDifferences(recorded, request, this.rules).next().done === true;
    });
  }
}

function placed({ name, recordings }: NamedCassette): readonly PlacedRecording[] {
  return recordings.map((recording, index) => ({ cassette: name, index, recording }));
}
