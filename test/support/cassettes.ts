import type {
  RecordedAnswer,
  RecordedRequest,
  Recording,
  RecordingRules,
} from "../../src/core/recordings/cassette.ts";
import { asking } from "./contract-chats.ts";

/** A recorded chat request with one user message. */
export function askedFor(user: string, fields: object = {}): RecordedRequest {
  return { method: "POST", path: "/chat/completions", body: { json: asking(user, fields) } };
}

/** A recorded read of rows. */
export function reading(path: string, query?: string): RecordedRequest {
  return { method: "GET", path, ...(query === undefined ? {} : { query }) };
}

/** A recorded answer; without anything it is `{"said":"Hi"}`. */
export function answered(answer: Partial<RecordedAnswer> = {}): RecordedAnswer {
  const headers = { "content-type": "application/json" };
  const isWhole = answer.stream === undefined && answer.end === undefined && answer.status !== 0;
  const body = { json: { said: "Hi" } };
  return { status: 200, headers, afterMs: 0, ...(isWhole ? { body } : {}), ...answer };
}

/** An answer whose body is JSON. */
export function saying(said: unknown, answer: Partial<RecordedAnswer> = {}): RecordedAnswer {
  return answered({ body: { json: { said } }, ...answer });
}

/** Parts of a stream with the times at which they came. */
export function streamed(
  parts: readonly (readonly [atMs: number, text: string])[],
  answer: Partial<RecordedAnswer> = {},
): RecordedAnswer {
  return answered({
    headers: { "content-type": "text/event-stream; charset=utf-8" },
    stream: parts.map(([atMs, text]) => ({ atMs, text })),
    ...answer,
  });
}

/** What fixtures have under `cassettes`: one of each interface that anything is given of. */
export interface GivenRecordings {
  readonly chat?: readonly (readonly [RecordedRequest, RecordedAnswer])[];
  readonly tables?: readonly (readonly [RecordedRequest, RecordedAnswer])[];
  readonly rules?: Partial<RecordingRules>;
}

/** Fixtures with these recordings, in a cassette `talk` of chat and one `rows` of tables. */
export function recordedFixtures(given: GivenRecordings, others: object = {}): object {
  const { chat, tables, rules } = given;
  const cassettes = [
    ...(chat === undefined ? [] : [cassette("talk", "chat", chat)]),
    ...(tables === undefined ? [] : [cassette("rows", "tables", tables)]),
  ];
  return { cassettes, ...(rules === undefined ? {} : { recording: rules }), ...others };
}

function cassette(
  name: string,
  of: "chat" | "tables",
  given: readonly (readonly [RecordedRequest, RecordedAnswer])[],
): object {
  const recordings = given.map(([request, answer]): Recording => ({ request, answer }));
  return { name, interface: of, upstream: "https://api.example.com/v1", recordings };
}
