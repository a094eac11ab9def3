/** The format of `cassettes/*.json`: what a real service was asked, and what it answered. */

/**
 * A body that is written so that it reads well and still gives the same bytes: as JSON where writing the value anew gives
 * the very text, as text where it is UTF-8, else as base64.
 */
export type RecordedBody =
  | {
      readonly json: unknown;
      /** Spaces of indentation per level. Default: everything on one line, without spaces. */
      readonly indent?: number;
      /** Text after the JSON. Default: none. */
      readonly end?: "\n";
    }
  | { readonly text: string }
  | { readonly base64: string };

/** What was asked, without what no replay looks at. */
export interface RecordedRequest {
  readonly method: string;
  /** Below the interface's mount point, as it was sent: `/chat/completions`, `/users/1`. */
  readonly path: string;
  /** The query as sent, without the question mark. Default: none. */
  readonly query?: string;
  /** Those by which requests are told apart, by lower-case name. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: none. A JSON body is told by its value: the order of its keys and its spaces do not count. */
  readonly body?: RecordedBody;
}

/** A part of a stream: one event where the body is `text/event-stream`, else what came at once. */
export type RecordedPart = {
  /** When its end was there, in milliseconds after the request was sent. */
  readonly atMs: number;
} & ({ readonly text: string } | { readonly base64: string });

/** How a stream ended: as it should, by a broken connection, or not at all while somebody listened. */
export type RecordedEnd = "close" | "reset" | "hang";

/** The answer. A service that broke the connection before it said anything has the status 0. */
export interface RecordedAnswer {
  readonly status: number;
  /** By lower-case name, without those of a single connection, without secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** When the head arrived, in milliseconds after the request was sent. */
  readonly afterMs: number;
  /** A body that arrived whole. Neither it nor `stream`: there was none. */
  readonly body?: RecordedBody;
  /** A body that arrived in parts, oldest first. */
  readonly stream?: readonly RecordedPart[];
  /** When and how the stream ended. */
  readonly end?: { readonly atMs: number; readonly how: RecordedEnd };
}

/** One request and its answer. */
export interface Recording {
  readonly request: RecordedRequest;
  readonly answer: RecordedAnswer;
}

/** The recordings of one conversation, or of one table, in the order in which they were asked. */
export interface Cassette {
  readonly interface: "chat" | "rest";
  /** Where it was recorded, without credentials. */
  readonly upstream: string;
  readonly recordings: readonly Recording[];
}

/** A cassette of a fixture set. */
export interface NamedCassette extends Cassette {
  /** The name of its file, without folder and extension. */
  readonly name: string;
}

/** The file of a cassette, each key on a line, so that a difference reads well. Its name is the file's. */
export function cassetteText({ interface: asked, upstream, recordings }: Cassette): string {
  return `${JSON.stringify({ interface: asked, upstream, recordings }, undefined, 2)}\n`;
}

/** A place in a request or an answer: `body.messages.*.name`, `query.nonce`, `header.x-tenant`. `*` is any key or index. */
export type RecordingPath = string;

/** What never reaches the disk. Each distinct value of a rule becomes `[<as> 1]`, `[<as> 2]` …, counted in each exchange. */
export type RedactRule =
  | { readonly path: RecordingPath; readonly as: string }
  | { readonly regex: string; readonly flags?: string; readonly as: string };

/** How a fixture set is recorded and replayed: the key `recording` of its configuration. */
export interface RecordingRules {
  /** Places of a request that replay does not look at. Default: none. */
  readonly volatile: readonly RecordingPath[];
  /** Headers that tell requests apart. Default: none. */
  readonly headers: readonly string[];
  /** Default: none. Keys in headers, cookies and queries are taken out in any case. */
  readonly redact: readonly RedactRule[];
  /** Places of an answer whose values `verify` compares, too: `body.model`, `header.x-version`. Default: none. */
  readonly stable?: readonly RecordingPath[];
}

/** What holds where a fixture set says nothing. */
export const usualRecordingRules: RecordingRules = { volatile: [], headers: [], redact: [] };

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

/** A request as a client sent it, before anything is taken out of it. */
export interface SentRequest {
  readonly method: string;
  /** Below the interface's mount point, still percent-encoded. */
  readonly path: string;
  /** As it was sent, without the question mark; empty: none. */
  readonly query: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Undefined or empty: none. */
  readonly body: Uint8Array | undefined;
}
