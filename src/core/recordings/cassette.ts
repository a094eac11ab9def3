import type { InterfaceName } from "../interface.ts";
/** The format of `cassettes/*.json`: requests to a real service, and its answers. */

/**
 * A body in a readable form from which the same bytes can be restored: JSON if writing the value again gives the same
 * text, text if it is UTF-8, else base64.
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

/** A request, without the parts that replay ignores. */
export interface RecordedRequest {
  readonly method: string;
  /** The path below the interface's mount point, as sent: `/chat/completions`, `/users/1`. */
  readonly path: string;
  /** The query as sent, without the question mark. Default: none. */
  readonly query?: string;
  /** The headers by which requests are distinguished, by lower-case name. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body. JSON is compared by value: spaces and the order of keys do not matter. Default: none. */
  readonly body?: RecordedBody;
  /** What replay ignores in this request, besides what the rules name. Default: nothing. */
  readonly volatile?: readonly VolatileRule[];
}

/** A part of a stream: one event of a `text/event-stream`, else a chunk. */
export type RecordedPart = {
  /** When the end of the part arrived, in milliseconds after the request was sent. */
  readonly atMs: number;
} & ({ readonly text: string } | { readonly base64: string });

/** How a stream ended: properly, with a broken connection, or not at all while the recorder listened. */
export type RecordedEnd = "close" | "reset" | "hang";

/** The answer. Its status is 0 if the service broke the connection before it sent anything. */
export interface RecordedAnswer {
  readonly status: number;
  /** The headers by lower-case name, without connection headers and secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** When the head arrived, in milliseconds after the request was sent. */
  readonly afterMs: number;
  /** A body that arrived whole. If both this and `stream` are absent, there was no body. */
  readonly body?: RecordedBody;
  /** A body that arrived in parts, oldest first. */
  readonly stream?: readonly RecordedPart[];
  /** When and how the stream ended. */
  readonly end?: { readonly atMs: number; readonly how: RecordedEnd };
}

/** A request and its answer. */
export interface Recording {
  readonly request: RecordedRequest;
  readonly answer: RecordedAnswer;
}

/** The recordings of one conversation or one table, in request order. */
export interface Cassette {
  readonly interface: InterfaceName;
  /** The URL of the recorded service, without credentials. */
  readonly upstream: string;
  /** When its first recording was made, as an ISO time. Default: unknown. */
  readonly recordedAt?: string | undefined;
  readonly recordings: readonly Recording[];
}

/** A cassette of a fixture set. */
export interface NamedCassette extends Cassette {
  /** The name of its file, without folder and extension. */
  readonly name: string;
}

/** The text of a cassette file, with one key per line for readable diffs. The cassette's name is the file's. */
export function cassetteText({ interface: asked, ...cassette }: Cassette): string {
  const { upstream, recordedAt, recordings } = cassette;
  return `${JSON.stringify({ interface: asked, upstream, recordedAt, recordings }, undefined, 2)}\n`;
}

/**
 * A place in a request or an answer: `body.messages.*.name`, `query.nonce`, `header.x-tenant`. `*` is any key or
 * index.
 */
export type RecordingPath = string;

/**
 * What replay ignores: the value at a place, or the matches of a regular expression in the texts of a request. With
 * `path`, only those at that place and below it are searched.
 */
export type VolatileRule =
  | RecordingPath
  | { readonly regex: string; readonly flags?: string; readonly path?: RecordingPath };

/**
 * What is redacted before anything is written to disk. Each distinct value that a rule finds becomes `[<as> 1]`, `[<as>
 * 2]` …, counted per exchange.
 */
export type RedactRule =
  | { readonly path: RecordingPath; readonly as: string }
  | { readonly regex: string; readonly flags?: string; readonly as: string };

/** What is not redacted although it looks like a secret. */
export type AllowRule = { readonly path: RecordingPath } | { readonly value: string };

/** What a run does about recordings that no request has used. */
export const unusedChoices = ["warn", "fail", "ignore"] as const;

/** How a fixture set is recorded and replayed: the key `recording` of its configuration. */
export interface RecordingRules {
  /** What replay ignores in requests. Default: nothing. */
  readonly volatile: readonly VolatileRule[];
  /** The headers by which requests are distinguished. Default: none. */
  readonly headers: readonly string[];
  /** What is redacted besides keys in headers, cookies and queries, which always are. Default: nothing. */
  readonly redact: readonly RedactRule[];
  /** What is done with values that look like secrets, such as the keys of known services. Default: "redact". */
  readonly secrets?: "redact" | "warn" | "ignore";
  /** Values that look like secrets but are not. Default: none. */
  readonly allow?: readonly AllowRule[];
  /**
   * The form in which a request, recorded or sent, is compared. Only code can set this. Default: the request as it is.
   */
  readonly sameRequest?: (request: RecordedRequest) => RecordedRequest;
  /** Places of an answer that `verify` compares by value: `body.model`, `header.x-version`. Default: none. */
  readonly stable?: readonly RecordingPath[];
  /** The age at which cassettes are recorded again, such as `30d`, `12h` or `90m`. Default: never. */
  readonly expiresIn?: string;
  /** What happens at the end of a run if no request has used a recording. Default: `warn`. */
  readonly unusedRecordings?: (typeof unusedChoices)[number];
}

/** The rules of a fixture set that has none of its own. */
export const usualRecordingRules: RecordingRules = { volatile: [], headers: [], redact: [] };

/** The cassettes to replay, and the rules by which requests are compared. Immutable. */
export interface CassetteSet {
  readonly cassettes: readonly NamedCassette[];
  readonly rules: RecordingRules;
}

/** The cassettes of fixtures. Undefined: there are none. */
export function cassetteSetOf({
  cassettes,
  recording: rules,
}: {
  readonly cassettes: readonly NamedCassette[];
  readonly recording: RecordingRules;
}): CassetteSet | undefined {
  return cassettes.length === 0 ? undefined : { cassettes, rules };
}

/** A request as a client sent it, with its secrets. */
export interface SentRequest {
  readonly method: string;
  /** The path below the interface's mount point, still percent-encoded. */
  readonly path: string;
  /** The query as sent, without the question mark; empty if there is none. */
  readonly query: string;
  /** The headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body. Undefined or empty: none. */
  readonly body: Uint8Array | undefined;
}
