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
import { conversationName, fingerprint, messagesOf, modelOf, pathName } from "./cassette-names.ts";
import { requestKey } from "../replay/request-key.ts";

/** What a service answered, as it was seen on the wire. Compressed bodies are unpacked already. */
export interface ReceivedAnswer {
  /** 0: the connection broke before there was a head. */
  readonly status: number;
  /** By lower-case name, without those of a single connection. */
  readonly headers: Readonly<Record<string, string>>;
  /** When the head was there, or the connection broke. */
  readonly afterMs: number;
  /** Undefined: an answer that has none, such as one to HEAD. */
  readonly body?: {
    readonly parts: readonly ReceivedPart[];
    readonly end: { readonly atMs: number; readonly how: RecordedEnd };
  };
}

/** How long after its head a body may be complete, in milliseconds, to have come at once with it. */
const atOnceMs = 20;

/** What was seen of an answer, as a cassette has it: a stream event by event, a body that came as a whole in one piece. */
export function recordAnswer(seen: ReceivedAnswer): RecordedAnswer {
  const { status, afterMs, body } = seen;
  const headers = keptHeaders(seen);
  const head = { status, headers, afterMs: Math.round(afterMs) };
  if (body === undefined) return head;
  const bytes = joinBytes(body.parts.map((part) => part.bytes));
  const hasEvents = isEventStream(headers["content-type"], bytes);
  if (hasEvents || !isWhole(seen, body)) return { ...head, ...recordStream(body, hasEvents) };
  if (bytes.length === 0) return head;
  // Nobody reads half of it, so it came when its last byte did.
  const whenWhole = body.end.atMs - afterMs > atOnceMs ? body.end.atMs : afterMs;
  return { ...head, afterMs: Math.round(whenWhole), body: recordBody(bytes) };
}

type SeenBody = NonNullable<ReceivedAnswer["body"]>;

/** JSON is nothing before its end; all else is whole when it came so, or when its length was known in advance. */
function isWhole(seen: ReceivedAnswer, { parts, end }: SeenBody): boolean {
  if (end.how !== "close") return false;
  if (seen.headers["content-length"] !== undefined) return true;
  if (/^\s*[\w.-]+\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(seen.headers["content-type"] ?? ""))
    return true;
  return (parts.at(-1)?.atMs ?? 0) - seen.afterMs <= atOnceMs;
}

/** What comes anew with each answer, or follows from the body as it is replayed. */
const ofTheMoment: readonly string[] = ["date", "age", "content-length"];

function keptHeaders(seen: ReceivedAnswer): RecordedAnswer["headers"] {
  const { headers, body } = seen;
  // It says of an answer to HEAD how long the body would be, and of one that was cut that something is missing.
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

/** What came in one millisecond as one part. */
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
  // Of ASCII each byte is a character, so that all of it can be decoded at once.
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

/** What a recorder goes by. */
export interface RecorderOptions {
  readonly rules: RecordingRules;
  /** What each interface's cassettes say of where they were recorded, without credentials. */
  readonly upstreams: Readonly<Partial<Record<Cassette["interface"], string>>>;
  /** When the run began, as an ISO time. Default: nobody knows. */
  readonly recordedAt?: string | undefined;
  /** Cassettes that new recordings are added to where they belong there. Default: none. */
  readonly continued?: readonly NamedCassette[];
  /** Told of each cassette that has another recording. */
  readonly changed: (cassette: NamedCassette) => void;
}

/** An exchange of which the answer is still to come. */
export interface OpenRecording {
  /** Finds the cassette that the request belongs to: before a request is placed that continues it. */
  readonly place: () => void;
  /** Whether an answer that the client left is worth keeping: an event stream, by its type, its bytes or the request. */
  readonly isStream: (answer: ReceivedAnswer) => boolean;
  /** Redacts the exchange. What it returns keeps it: others may have their turn between the two. */
  readonly redact: (answer: ReceivedAnswer) => () => void;
  /** Does both. An exchange that is never finished is not kept. */
  readonly finish: (answer: ReceivedAnswer) => void;
}

/** A cassette while it is recorded. */
interface Tape {
  readonly interface: Cassette["interface"];
  readonly upstream: string;
  readonly recordedAt: string | undefined;
  /** Made with its first recording: of a name, too, what only an answer shows to be secret is taken out. */
  name: string | undefined;
  readonly nameFor: (request: RecordedRequest) => string;
  readonly before: readonly Recording[];
  /** Each with its place among those that were asked. */
  readonly recorded: { readonly order: number; readonly recording: Recording }[];
}

/** An exchange that has its cassette. */
type Placed = Pick<RedactedExchange, "recording"> & { readonly tape: Tape };

/** Makes cassettes of what is asked and answered: one for each conversation and each table. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #rules: CompiledRules;
  readonly #conversations: Conversations<Tape>;
  /** Those of no conversation, by name. */
  readonly #others: Map<string, Tape> = new Map();
  readonly #taken: Set<string> = new Set();
  readonly #recordedTo: Set<Tape> = new Set();
  /** What stands for the values that look like secrets, by their kinds. */
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

  /** How many exchanges were kept. */
  get kept(): number {
    return this.#kept;
  }

  /** How many values were found that only look like secrets, by kind. */
  likelySecrets(): Readonly<Record<string, number>> {
    return Object.fromEntries(Array.from(this.#likely, ([kind, values]) => [kind, values.size]));
  }

  /** The cassettes that were recorded to, whole. */
  cassettes(): readonly NamedCassette[] {
    return [...this.#recordedTo].map(cassetteOf);
  }

  /**
   * Begins with a request, of which nothing is done yet. Recordings stand in the order of these calls, whatever is
   * answered first.
   */
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

  /** Two conversations may begin with the same words, and even be known by the same few digits. */
  #unique(name: string): string {
    let free = name;
    for (let number = 2; this.#taken.has(free); number++) free = `${name}-${number}`;
    this.#taken.add(free);
    return free;
  }
}

/** Most exchanges end in the order in which they began. */
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

/** A request to chat that has messages, and what it is known by. */
interface Asked {
  readonly request: RecordedRequest;
  readonly messages: readonly unknown[];
  readonly key: string;
}

/**
 * Finds the conversation that a request to chat belongs to. A request continues one whose messages its own begin with;
 * the same request again belongs to where it was first.
 */
class Conversations<Conversation> {
  readonly #rules: CompiledRules;
  readonly #byRequest: Map<string, Conversation> = new Map();
  /** By messages, with the model and without. */
  readonly #byMessages: Map<string, Conversation> = new Map();
  /** How many messages those requests have: others need not be looked for. */
  readonly #counts: Set<number> = new Set();

  constructor(rules: CompiledRules) {
    this.#rules = rules;
  }

  /**
   * The conversation of a request, which can be continued from now on; a new one is made by the key of its first
   * request. Undefined: the request has no messages.
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
    // With the model first: several models may be asked the same.
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
