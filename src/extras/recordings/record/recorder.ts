import { interfaces } from "../../../core/interface.ts";
import type {
  RecordedEnd,
  RecordedAnswer,
  RecordedPart,
  Cassette,
  NamedCassette,
  RecordedRequest,
  Recording,
  RecordingRules,
  SentRequest,
} from "../../../core/recordings/cassette.ts";
import { utf8Text, joinBytes } from "../../../core/http/bytes.ts";
import { toBase64 } from "../../../core/http/base64.ts";
import { recordBody } from "../../../core/recordings/recorded-body.ts";
import { isEventStream, type ReceivedPart, splitEvents } from "../event-stream.ts";
import { asObject, parseJson } from "../../../core/schema/json.ts";
import { type CompiledRules, compileRules } from "../../../core/recordings/recording-rules.ts";
import { type RedactedExchange, redactExchange } from "../redaction/redact-exchange.ts";
import { fingerprint } from "../../../core/schema/fingerprint.ts";
import { conversationName, messagesOf, modelOf, pathName } from "./cassette-names.ts";
import { requestKey } from "../replay/request-key.ts";

/** An answer as it was received, with its body decompressed. */
export interface ReceivedAnswer {
  /** 0 if the connection broke before the head arrived. */
  readonly status: number;
  /** Headers by lower-case name, without those of the connection. */
  readonly headers: Readonly<Record<string, string>>;
  /** When the head arrived or the connection broke. */
  readonly afterMs: number;
  /** Undefined for an answer that never has a body, such as one to HEAD. */
  readonly body?: {
    readonly parts: readonly ReceivedPart[];
    readonly end: { readonly atMs: number; readonly how: RecordedEnd };
  };
}

/** A body that is complete within this many milliseconds after its head counts as sent in one piece. */
const atOnceMs = 20;

/** An answer in the form of a cassette: a stream as events, a body that was sent in one piece as a whole. */
export function recordAnswer(seen: ReceivedAnswer): RecordedAnswer {
  const { status, afterMs, body } = seen;
  const headers = keptHeaders(seen);
  const head = { status, headers, afterMs: Math.round(afterMs) };
  if (body === undefined) return head;
  const bytes = joinBytes(body.parts.map((part) => part.bytes));
  const hasEvents = isEventStream(headers["content-type"], bytes);
  if (hasEvents || !isWhole(seen, body)) return { ...head, ...recordStream(body, hasEvents) };
  if (bytes.length === 0) return head;
  // Nobody reads an incomplete body of this kind, so it counts as arrived with its last byte.
  const whenWhole = body.end.atMs - afterMs > atOnceMs ? body.end.atMs : afterMs;
  return { ...head, afterMs: Math.round(whenWhole), body: recordBody(bytes) };
}

type SeenBody = NonNullable<ReceivedAnswer["body"]>;

/** Whether to record a body as a whole: if it is JSON, had a known length, or arrived at once. */
function isWhole(seen: ReceivedAnswer, { parts, end }: SeenBody): boolean {
  if (end.how !== "close") return false;
  if (seen.headers["content-length"] !== undefined) return true;
  if (/^\s*[\w.-]+\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(seen.headers["content-type"] ?? ""))
    return true;
  return (parts.at(-1)?.atMs ?? 0) - seen.afterMs <= atOnceMs;
}

/** Headers that are different for each answer, or that follow from the replayed body. */
const ofTheMoment: readonly string[] = ["date", "age", "content-length"];

function keptHeaders(seen: ReceivedAnswer): RecordedAnswer["headers"] {
  const { headers, body } = seen;
  // In an answer to HEAD the length is information, and in an answer that was cut off it shows that a part is missing.
  const lengthSays = body === undefined ? seen.status !== 0 : body.end.how === "reset";
  const entries = Object.entries(headers).filter(
    ([name]) => !ofTheMoment.includes(name) || (lengthSays && name === "content-length"),
  );
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function recordStream(
  { parts, end }: SeenBody,
  inEvents: boolean,
): Pick<RecordedAnswer, "stream" | "end"> {
  const cut = inEvents ? splitEvents(parts) : joinSimultaneous(parts);
  return {
    stream: recordParts(cut),
    end: { atMs: Math.round(end.atMs), how: end.how },
  };
}

/** Joins the parts that arrived in the same millisecond. */
function joinSimultaneous(parts: readonly ReceivedPart[]): readonly ReceivedPart[] {
  const joined: { readonly atMs: number; readonly pieces: Uint8Array[] }[] = [];
  for (const { atMs, bytes } of parts) {
    const last = joined.at(-1);
    if (last !== undefined && Math.round(last.atMs) === Math.round(atMs)) last.pieces.push(bytes);
    else joined.push({ atMs, pieces: [bytes] });
  }
  return joined.map(({ atMs, pieces }) => ({ atMs, bytes: joinBytes(pieces) }));
}

function recordParts(parts: readonly ReceivedPart[]): readonly RecordedPart[] {
  const bytes = joinBytes(parts.map((part) => part.bytes));
  const whole = utf8Text(bytes);
  // In ASCII each byte is a character, so everything can be decoded at once.
  if (whole === undefined || whole.length !== bytes.length) return parts.map(recordPart);
  let start = 0;
  return parts.map((part) => {
    const text = whole.slice(start, start + part.bytes.length);
    start += part.bytes.length;
    return { atMs: Math.round(part.atMs), text };
  });
}

function recordPart({ atMs: exactly, bytes }: ReceivedPart): RecordedPart {
  const atMs = Math.round(exactly);
  const text = utf8Text(bytes);
  return text === undefined ? { atMs, base64: toBase64(bytes) } : { atMs, text };
}

export interface RecorderOptions {
  readonly rules: RecordingRules;
  /** The services' URLs to write into cassettes, without credentials. */
  readonly upstreams: Readonly<Partial<Record<Cassette["interface"], string>>>;
  /** When the run began, as an ISO time. Default: unknown. */
  readonly recordedAt?: string | undefined;
  /** Existing cassettes to which new recordings are added if they belong there. Default: none. */
  readonly continued?: readonly NamedCassette[];
  /** Called with each cassette that got another recording. */
  readonly changed: (cassette: NamedCassette) => void;
}

/** An exchange whose answer has not arrived yet. */
export interface OpenRecording {
  /** Assigns the request to a cassette. Called before a request that continues this one is assigned. */
  readonly place: () => void;
  /**
   * Whether to keep an answer that the client did not wait for: only an event stream, judged by the answer or the
   * request.
   */
  readonly isStream: (answer: ReceivedAnswer) => boolean;
  /** Redacts the exchange, and returns a function that keeps it. Other work can run between the two. */
  readonly redact: (answer: ReceivedAnswer) => () => void;
  /** Redacts and keeps the exchange. An exchange without this call is not kept. */
  readonly finish: (answer: ReceivedAnswer) => void;
}

/** A cassette that is being recorded. */
interface Tape {
  readonly interface: Cassette["interface"];
  readonly upstream: string;
  readonly recordedAt: string | undefined;
  /** The cassette's name. Set with the first recording, since the answer may show that a part of the name is secret. */
  name: string | undefined;
  readonly nameFor: (request: RecordedRequest) => string;
  readonly before: readonly Recording[];
  /** The recordings, each with the number of its request. */
  readonly recorded: { readonly order: number; readonly recording: Recording }[];
}

/** An exchange that has been assigned to a cassette. */
type Placed = Pick<RedactedExchange, "recording"> & { readonly tape: Tape };

/** Records requests and answers as cassettes: one for each conversation and for each table. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #rules: CompiledRules;
  readonly #conversations: Conversations<Tape>;
  /** Cassettes without a conversation, by name. */
  readonly #others: Map<string, Tape> = new Map();
  readonly #taken: Set<string> = new Set();
  readonly #recordedTo: Set<Tape> = new Set();
  /** Fingerprints of the values that look like secrets, by kind. */
  readonly #likely: Map<string, Set<string>> = new Map();
  #asked = 0;
  #kept = 0;

  constructor(options: RecorderOptions) {
    const { continued = [] } = options;
    this.#rules = compileRules(options.rules);
    this.#options = options;
    this.#conversations = new Conversations(this.#rules);
    for (const cassette of continued) this.#continue(cassette);
  }

  /** The number of exchanges that were kept. */
  get kept(): number {
    return this.#kept;
  }

  /** The number of values that only look like secrets, by kind. */
  likelySecrets(): Readonly<Record<string, number>> {
    return Object.fromEntries(Array.from(this.#likely, ([kind, values]) => [kind, values.size]));
  }

  /** The cassettes with new recordings, complete with their earlier ones. */
  cassettes(): readonly NamedCassette[] {
    return [...this.#recordedTo].map(cassetteOf);
  }

  /** Adds a request. Recordings keep the order of these calls, whichever answer arrives first. */
  begin(asked: Cassette["interface"], sent: SentRequest): OpenRecording {
    const order = this.#asked++;
    let placed: Placed | undefined;
    let likely: RedactedExchange["likely"] = new Map();
    const place = (): Placed => {
      if (placed !== undefined) return placed;
      const { request, recording, ...found } = redactExchange(sent, this.#rules, asked);
      ({ likely } = found);
      return (placed = { tape: this.#tapeFor(asked, request), recording });
    };
    const redact = (seen: ReceivedAnswer) => {
      const { tape, recording } = place();
      const redacted = recording(recordAnswer(seen));
      return () => {
        for (const [value, kind] of likely) this.#count(kind, fingerprint(value));
        this.#keep(tape, { order, recording: redacted });
      };
    };
    return {
      place: () => void place(),
      isStream: ({ headers, body }) =>
        isEventStream(
          headers["content-type"],
          joinBytes((body?.parts ?? []).map(({ bytes }) => bytes)),
        ) ||
        asObject(parseJson(utf8Text(sent.body ?? new Uint8Array()) ?? ""))?.["stream"] === true,
      redact,
      finish: (seen) => redact(seen)(),
    };
  }

  #count(kind: string, value: string): void {
    this.#likely.set(kind, (this.#likely.get(kind) ?? new Set()).add(value));
  }

  #keep(tape: Tape, entry: Tape["recorded"][number]): void {
    tape.name ??= this.#unique(tape.nameFor(entry.recording.request));
    insert(tape.recorded, entry);
    this.#kept += 1;
    this.#recordedTo.add(tape);
    this.#options.changed(cassetteOf(tape));
  }

  #tapeFor(asked: Cassette["interface"], request: RecordedRequest): Tape {
    const create = (nameFor: Tape["nameFor"]): Tape => {
      const { upstreams, recordedAt } = this.#options;
      const of = { interface: asked, upstream: upstreams[asked] ?? "", recordedAt };
      return { ...of, name: undefined, nameFor, before: [], recorded: [] };
    };
    if (interfaces[asked].hasModels) {
      const found = this.#conversations.find(request, (key) =>
        create((redacted) => conversationName(redacted, key)),
      );
      if (found !== undefined) return found;
    }
    const name = pathName(asked, request);
    const tape = this.#others.get(name) ?? create(() => name);
    this.#others.set(name, tape);
    return tape;
  }

  #continue({ recordings, recordedAt, ...cassette }: NamedCassette): void {
    const { name, interface: asked } = cassette;
    const nameFor = (): string => name;
    const tape = { ...cassette, recordedAt, nameFor, before: recordings, recorded: [] };
    this.#taken.add(name);
    this.#others.set(name, tape);
    if (!interfaces[asked].hasModels) return;
    for (const { request } of recordings) this.#conversations.find(request, () => tape);
  }

  /**
   * The name, with a number if it is taken: two conversations may begin with the same words, and even have the same
   * first digits of a fingerprint.
   */
  #unique(name: string): string {
    let free = name;
    for (let number = 2; this.#taken.has(free); number++) free = `${name}-${number}`;
    this.#taken.add(free);
    return free;
  }
}

/** Inserts a recording by the number of its request, searching from the end, since most exchanges end in order. */
function insert(recorded: Tape["recorded"], entry: Tape["recorded"][number]): void {
  const after = recorded.findLastIndex(({ order }) => order < entry.order);
  recorded.splice(after + 1, 0, entry);
}

function cassetteOf({
  name = "",
  interface: asked,
  upstream,
  recordedAt,
  before,
  recorded,
}: Tape): NamedCassette {
  const recordings = [...before, ...recorded.map(({ recording }) => recording)];
  return { name, interface: asked, upstream, recordedAt, recordings };
}

/** A chat request that has messages, with its key. */
interface Asked {
  readonly request: RecordedRequest;
  readonly messages: readonly unknown[];
  readonly key: string;
}

/**
 * Finds the conversation of a chat request. A request continues the conversation whose messages its own begin with. A
 * repeated request belongs to the conversation of the first one.
 */
class Conversations<Conversation> {
  readonly #rules: CompiledRules;
  readonly #byRequest: Map<string, Conversation> = new Map();
  /** Conversations by messages, with the model and without. */
  readonly #byMessages: Map<string, Conversation> = new Map();
  /** The numbers of messages that occur in those keys. No other numbers need to be looked up. */
  readonly #counts: Set<number> = new Set();

  constructor(rules: CompiledRules) {
    this.#rules = rules;
  }

  /**
   * The conversation of a request. A new one is created with the key of its first request. From then on, the request
   * can be continued. Undefined if the request has no messages.
   */
  find(request: RecordedRequest, create: (key: string) => Conversation): Conversation | undefined {
    const messages = messagesOf(request);
    if (messages === undefined) return undefined;
    const key = requestKey(request, this.#rules);
    const asked = { request, messages, key };
    const known = this.#byRequest.get(fingerprint(key)) ?? this.#continued(asked);
    const conversation = known ?? create(key);
    this.#note(asked, conversation);
    return conversation;
  }

  #continued({ request, messages }: Asked): Conversation | undefined {
    // The same model first, since several models may get the same messages.
    for (const model of new Set([modelOf(request), undefined])) {
      for (let count = messages.length - 1; count > 0; count--) {
        if (!this.#counts.has(count)) continue;
        const key = this.#keyOf(request, model, messages.slice(0, count));
        const conversation = this.#byMessages.get(key);
        if (conversation !== undefined) return conversation;
      }
    }
    return undefined;
  }

  #note({ request, messages, key }: Asked, conversation: Conversation): void {
    this.#byRequest.set(fingerprint(key), conversation);
    this.#counts.add(messages.length);
    for (const model of new Set([modelOf(request), undefined])) {
      this.#byMessages.set(this.#keyOf(request, model, messages), conversation);
    }
  }

  #keyOf(
    { method, path }: RecordedRequest,
    model: string | undefined,
    messages: readonly unknown[],
  ): string {
    const json = model === undefined ? { messages } : { model, messages };
    return fingerprint(requestKey({ method, path, body: { json } }, this.#rules));
  }
}
