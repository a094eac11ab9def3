import type { NamedCassette, RecordedRequest, Recording } from "./cassette.ts";
import type { CassetteSet } from "./cassette-set.ts";
import type { PlayCounts } from "./play-counts.ts";
import { createRedactor, type Redactor } from "./redactor.ts";
import { requestKey } from "./request-key.ts";
import type { SentRequest } from "./sent-request.ts";

/** A recording and where it is. */
export interface PlacedRecording {
  /** The name of its cassette. */
  readonly cassette: string;
  /** Its place there, from 0. */
  readonly index: number;
  readonly recording: Recording;
}

/** Whose recordings a book has. */
export interface BookOptions {
  readonly of: NamedCassette["interface"];
  /** Keys of the emulator, with which clients ask it and not the service that was recorded. */
  readonly ownKeys: readonly string[];
}

/** The recordings of one interface, found by what was asked. */
export class RecordingBook {
  readonly rules: CassetteSet["rules"];
  /** Cassettes in their order, each in its own. */
  readonly all: readonly PlacedRecording[];
  readonly #redactor: Redactor;
  readonly #byKey: ReadonlyMap<string, readonly PlacedRecording[]>;

  constructor({ cassettes, rules }: CassetteSet, { of, ownKeys }: BookOptions) {
    this.rules = rules;
    this.#redactor = createRedactor(rules, { of, ownKeys });
    this.all = cassettes.filter((cassette) => cassette.interface === of).flatMap(placed);
    this.#byKey = byKey(this.all, rules);
  }

  /** A request as a recording would have it. */
  asRecorded(sent: SentRequest): RecordedRequest {
    return this.#redactor.exchange(sent).request;
  }

  /** The recording that answers now: of those of the same request the first that was not replayed yet, else the last. */
  next(request: RecordedRequest, plays: PlayCounts): PlacedRecording | undefined {
    const same = this.#byKey.get(requestKey(request, this.rules)) ?? [];
    return same.find(({ cassette, index }) => plays.of(cassette, index) === 0) ?? same.at(-1);
  }
}

function placed({ name, recordings }: NamedCassette): readonly PlacedRecording[] {
  return recordings.map((recording, index) => ({ cassette: name, index, recording }));
}

function byKey(
  all: readonly PlacedRecording[],
  rules: CassetteSet["rules"],
): ReadonlyMap<string, readonly PlacedRecording[]> {
  const found = new Map<string, PlacedRecording[]>();
  for (const one of all) {
    const key = requestKey(one.recording.request, rules);
    const same = found.get(key);
    if (same === undefined) found.set(key, [one]);
    else same.push(one);
  }
  return found;
}
