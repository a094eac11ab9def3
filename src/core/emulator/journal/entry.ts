import {
  type AnswerPlan,
  type ClosestRecording,
  type MissedScript,
  type RecordingPlace,
  type Answerer,
  type AnswerScene,
  labelOf,
} from "../../http/answerer.ts";
import type { CallHeaders } from "../../http/call.ts";
import type { ReplyHeaders } from "../../http/reply.ts";
import type { ExchangeRecord } from "../exchange.ts";
import { redactMisses, redactPlan, redactHeaders, redactQuery } from "./redaction.ts";

export type {
  AnswerPlan,
  ClosestRecording,
  MissedCriterion,
  MissedScript,
  PlanTest,
  RecordingPlace,
} from "../../http/answerer.ts";

/** A request and what became of it. */
export interface JournalEntry {
  readonly id: string;
  /** When it came: an ISO time in UTC, by the emulator's clock. */
  readonly at: string;
  /** Null: the base session. */
  readonly session: string | null;
  readonly interface: "rest" | "chat";
  readonly method: string;
  readonly path: string;
  /** Without the leading "?"; empty when there was none. Keys and tokens are redacted. */
  readonly query: string;
  /** Keys and tokens are redacted. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it was JSON, else the text; null when there was none. */
  readonly body: unknown;
  /** 0 when there was no answer, because of a fault. */
  readonly status: number;
  readonly answeredBy: string | null;
  /** The name of the chat script that answered. */
  readonly script: string | null;
  /** Which of the script's `replies` answered, from 0; null where it has one. */
  readonly reply: number | null;
  /**
   * The scripts that did not match, up to 5 of those that came closest, closest first: of a request that a script
   * answered those that were tried before it.
   */
  readonly misses: readonly MissedScript[];
  /** How the table finds the rows of the request, as it is when the entry is read; null where no rows were looked for. */
  readonly plan: AnswerPlan | null;
  /** The id of the planned fault that answered, or that held the answer back. */
  readonly fault: string | null;
  /** The recording that was replayed. */
  readonly recording: RecordingPlace | null;
  /** Of a request that was refused since it is not recorded: what comes closest, and where that differs. */
  readonly closestRecording: ClosestRecording | null;
  readonly durationMs: number;
  /** Of the body that was sent. */
  readonly bytes: number;
  /** Frames of a stream; 0 for other replies. */
  readonly chunksSent: number;
  /** True when the client went away before the end. */
  readonly aborted: boolean;
  /** How many times the client says that it has tried before. */
  readonly retryCount: number | null;
}

/** What of an exchange only an archive of HTTP tells. */
export interface WireParts {
  /** The request's body as it was sent; undefined when it had none. */
  readonly body: string | undefined;
  /** How many bytes that was; text of broken UTF-8 has more. */
  readonly bodyBytes: number;
  /** Those of the reply. Keys and tokens are redacted. */
  readonly replyHeaders: Readonly<Record<string, string>>;
}

/** Told of what becomes of a session's journal. */
export interface JournalWatcher {
  /** A request is over. */
  readonly recorded: (request: KeptRequest) => void;
  /** The journal is empty now. With `anew` its numbers begin at 1 again, since the session does. */
  readonly cleared: (journal: { readonly count: number; readonly anew: boolean }) => void;
}

/** A journal that is watched, whichever session has its id by now. */
export interface JournalWatch {
  /** What it has, oldest first. */
  readonly kept: () => readonly KeptRequest[];
  /** How many requests were recorded so far, those that are gone included. */
  readonly count: () => number;
  /** How many there were when it was last emptied; 0 where it never was. */
  readonly clearedAt: () => number;
  readonly stop: () => void;
}

/** What a journal keeps of an exchange: as it came, since most entries are never read. */
export interface RecordedExchange extends Omit<ExchangeRecord, "answeredBy"> {
  /** How many were recorded up to this one. */
  readonly number: number;
  /** Undefined for the base session. */
  readonly session: string | undefined;
  readonly headers: CallHeaders;
  /** Undefined when the request had none, or it was not read. */
  readonly body: Uint8Array | undefined;
  readonly answeredBy: string | Answerer | undefined;
  readonly replyHeaders: ReplyHeaders;
  readonly bytes: number;
  /** What keeping it costs, about, in bytes, without the request's headers. */
  readonly size: number;
  /** The same of the request's headers, which entries that follow each other may share. */
  readonly headersSize: number;
}

/** What entries are shown by. */
export interface EntryScene {
  /** Those of the session. */
  readonly tables: unknown;
  /** The emulator's own keys, which are not shown wherever a client puts them. */
  readonly ownKeys: readonly string[];
}

/** An entry as it is shown. */
export function readableEntry(
  exchange: RecordedExchange,
  { tables, ownKeys: keys }: EntryScene,
): JournalEntry {
  const { at, session = null, headers, body, answeredBy } = exchange;
  return {
    id: String(exchange.number),
    at: new Date(at).toISOString(),
    session,
    interface: exchange.interface,
    method: exchange.method,
    path: exchange.path,
    query: redactQuery(exchange.query, { of: exchange.interface, keys }),
    headers: redactHeaders(headers, keys),
    body: readBody(body),
    status: exchange.status,
    ...answerParts(answeredBy, { headers, body, tables }, keys),
    durationMs: exchange.durationMs,
    bytes: exchange.bytes,
    chunksSent: exchange.chunksSent,
    aborted: exchange.aborted,
    retryCount: retryCountOf(headers),
  };
}

type AnswerParts = Pick<
  JournalEntry,
  "answeredBy" | "script" | "reply" | "misses" | "plan" | "fault" | "recording" | "closestRecording"
>;

function answerParts(
  answeredBy: RecordedExchange["answeredBy"],
  scene: AnswerScene,
  keys: readonly string[],
): AnswerParts {
  const label = labelOf(answeredBy, scene) ?? null;
  const details = typeof answeredBy === "object" ? answeredBy.details(scene) : {};
  const { script = null, reply = null, misses = [], plan, fault = null } = details;
  const { recording = null, closestRecording = null } = details;
  return {
    answeredBy: label,
    script,
    reply,
    misses: redactMisses(misses, keys),
    plan: plan === undefined ? null : redactPlan(plan, keys),
    fault,
    recording,
    closestRecording,
  };
}

const decoder = new TextDecoder();

/** A request's body as text; undefined when there was none. */
export function exchangeBodyText({ body }: RecordedExchange): string | undefined {
  return body === undefined || body.byteLength === 0 ? undefined : decoder.decode(body);
}

/** How many bytes a request's body had. */
export function exchangeBodyBytes({ body }: RecordedExchange): number {
  return body?.byteLength ?? 0;
}

function readBody(body: Uint8Array | undefined): unknown {
  if (body === undefined || body.byteLength === 0) return null;
  const text = decoder.decode(body);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function retryCountOf(headers: CallHeaders): number | null {
  const told = headers["x-stainless-retry-count"];
  return told !== undefined && /^\d{1,6}$/.test(told) ? Number(told) : null;
}

/** A request that a journal has: what it is filtered by, and the rest when it is asked for. */
export class KeptRequest {
  readonly number: number;
  readonly #exchange: RecordedExchange;
  readonly #scene: EntryScene;

  constructor(exchange: RecordedExchange, scene: EntryScene) {
    this.number = exchange.number;
    this.#exchange = exchange;
    this.#scene = scene;
  }

  get id(): string {
    return String(this.number);
  }

  get at(): number {
    return this.#exchange.at;
  }

  get interface(): "rest" | "chat" {
    return this.#exchange.interface;
  }

  get method(): string {
    return this.#exchange.method;
  }

  get path(): string {
    return this.#exchange.path;
  }

  get status(): number {
    return this.#exchange.status;
  }

  readonly read = (): JournalEntry => readableEntry(this.#exchange, this.#scene);

  readonly wire = (): WireParts => ({
    body: exchangeBodyText(this.#exchange),
    bodyBytes: exchangeBodyBytes(this.#exchange),
    replyHeaders: redactHeaders(this.#exchange.replyHeaders, this.#scene.ownKeys),
  });
}

/**
 * The headers that were kept last. A client mostly sends the same ones with each request. Kept once for all entries
 * they cost the collector nothing; kept for each, they are a third of what the journal costs.
 */
export class KeptHeaders {
  #last: CallHeaders | undefined;
  #size = 0;

  /** Headers to keep: those kept before, where they are the same. */
  keep(headers: CallHeaders): CallHeaders {
    // A front may know that they are the same.
    if (headers !== this.#last && (this.#last === undefined || !areEqual(headers, this.#last))) {
      this.#last = headers;
      this.#size = sizeOf(headers);
    }
    return this.#last;
  }

  /** What those take that were kept last, about, in bytes. Measured once, however often they are kept. */
  get size(): number {
    return this.#size;
  }
}

/** What a header takes besides its name and value. */
const headerSize = 50;

function sizeOf(headers: CallHeaders): number {
  let size = 0;
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0) + headerSize;
  return size;
}

function areEqual(some: CallHeaders, others: CallHeaders): boolean {
  let more = 0;
  for (const name in some) {
    if (some[name] !== others[name]) return false;
    more++;
  }
  for (const name in others) if (others[name] !== undefined) more--;
  return more === 0;
}
