import type {
  AnswerPlan,
  ClosestRecording,
  MissedScript,
  RecordingPlace,
  RowChange,
  SeenCriterion,
} from "../../http/answerer.ts";
import type { ConversationPlace } from "../../chat/forms/conversation-place.ts";
import type { CallHeaders } from "../../http/call.ts";
import type { AnswerEnd } from "../../http/answer-end.ts";
import type { JsonObject } from "../../schema/json.ts";
import type { InterfaceName } from "../../interface.ts";
import type { ExchangeRecord } from "../observer.ts";
import type { AskedChat } from "./asked-chat.ts";
import type { KeptReply } from "./kept-reply.ts";
import type { JournalResponse } from "./response.ts";

/** The short part of an entry, enough for a line in a list: of bodies it has only what a line shows. */
export interface JournalSummary {
  /** The request's number in its session, by arrival. */
  readonly id: string;
  /** When the request arrived: an ISO time in UTC, by the emulator's clock. */
  readonly at: string;
  /** Null: the base session. */
  readonly session: string | null;
  readonly interface: InterfaceName;
  readonly method: string;
  readonly path: string;
  /** Without the leading "?"; empty if there was none. Keys and tokens are redacted. */
  readonly query: string;
  /** 0 when a fault left the request without an answer, and before the answer begins. */
  readonly status: number;
  /** How the request ended for the client; `pending` while it is under way. */
  readonly ended: "pending" | AnswerEnd;
  /** Why the client got no whole answer, or the sentence of a refusal; null if it got one. */
  readonly problem: string | null;
  readonly answeredBy: string | null;
  /** What a chat asks for; null for other requests. */
  readonly chat: AskedChat | null;
  /** The name of the chat script that answered. */
  readonly script: string | null;
  /** Which of the script's `replies` answered, from 0; null if it has only one. */
  readonly reply: number | null;
  /** The id of the planned fault that answered or delayed the answer. */
  readonly fault: string | null;
  /** The fault in the answer, planned or of a script, if the client got it; null if there was none. */
  readonly brokenBy: BrokenBy | null;
  /** The recording that was replayed. */
  readonly recording: RecordingPlace | null;
  /** The tokens of a chat in all, by the usage in its answer; null if it has none. */
  readonly tokens: number | null;
  /** The finish reason in a chat's answer, of its first choice; null if it has none. */
  readonly finishReason: string | null;
  /** How many rows were read from a table; null for other requests. */
  readonly rows: number | null;
  /**
   * The row that a write by key or an insertion changed, before and after; null for other requests. In a summary, only
   * the columns of a changed row that differ, and long values are shortened.
   */
  readonly change: RowChange | null;
  /** How a console marked its request; null for requests of others. */
  readonly console: string | null;
  /** The time from the arrival to the end; while the request is under way, to now. */
  readonly durationMs: number;
  /** How long a chat waited for capacity; null if capacity is unlimited or the request is under way. */
  readonly queuedMs: number | null;
  /** The size of the body that was sent; so far, while the request is under way. */
  readonly bytes: number;
  /** Frames of a stream; 0 for other replies. */
  readonly chunksSent: number;
  /** Whether the client went away before the end. */
  readonly aborted: boolean;
  /** How often the client has tried before, by its own count. */
  readonly retryCount: number | null;
  /** Where a chat stands in its conversation, once the chat has been read. Null for all other requests. */
  readonly conversation: ConversationPlace | null;
}

/** A request and its outcome. */
export interface JournalEntry extends JournalSummary {
  /** Keys and tokens are redacted. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed value if it was JSON of at most 1,000 levels, else the text; null without a body. */
  readonly body: unknown;
  /**
   * The body's text if writing `body` as JSON does not give it again, apart from spaces: it has numbers beyond doubles,
   * a key twice, or only a text. Null for others, and for bodies of more than 100,000 characters.
   */
  readonly bodyText: string | null;
  /** What the client got; null if nothing, and before the answer begins. */
  readonly response: JournalResponse | null;
  /** The usage in a chat's answer, as it was sent; null if it has none. */
  readonly usage: JsonObject | null;
  /**
   * The scripts that came closest without matching, up to 5, closest first. If a script answered, only those tried
   * before it.
   */
  readonly misses: readonly MissedScript[];
  /** How many scripts did not match in all: those of `misses`, and those further off. */
  readonly missed: number;
  /** The conditions of the script that answered, which all held, with what each saw. */
  readonly matched: readonly SeenCriterion[];
  /**
   * Later scripts whose conditions hold, too, besides the script that answered: up to 20, of the first 1,000. Some
   * may be used up.
   */
  readonly alsoMatching: readonly string[];
  /** What was wrong with the key of a request that was refused for it. Null for all other requests. */
  readonly keyProblem: string | null;
  /**
   * How the table finds the rows of the request, at the time of reading the entry; null for requests without a query.
   */
  readonly plan: AnswerPlan | null;
  /** For requests refused as not recorded: the closest recording and the differences. */
  readonly closestRecording: ClosestRecording | null;
}

/** A fault in an answer. */
export interface BrokenBy {
  /** A kind of faults, such as `cut`. */
  readonly kind: string;
  /**
   * How many events of the stream came before the fault, as `afterChunks` counts; null if the fault has no such
   * place.
   */
  readonly afterChunks: number | null;
}

/**
 * What the journal keeps of an exchange and fills in as the exchange goes on. Everything is kept raw, since most
 * entries are never read.
 */
export interface RecordedExchange
  extends
    Pick<ExchangeRecord, "at" | "session" | "interface" | "method" | "path" | "query">,
    KeptReply,
    KnownEnd {
  /** The exchange's number in its journal, by arrival. */
  readonly number: number;
  /** The exchange's index in the journal's list of exchanges under way. */
  slot: number;
  /** When the request arrived, on the timers' clock. */
  readonly started: number;
  readonly headers: CallHeaders;
  /** Undefined if the request had no body, or its body was not read. */
  body: Uint8Array | undefined;
  /** When the head of a delayed reply is sent, on the timers' clock. Undefined: at once. */
  headAt: number | undefined;
  /** The exchange's number in its journal, by end; 0 while it is under way. */
  place: number;
  /** The exchange's number over all journals, by end; 0 while it is under way. */
  order: number;
}

/** How an exchange ended. The other properties have no meaning while `ended` is `pending`. */
export interface KnownEnd {
  ended: JournalEntry["ended"];
  durationMs: number;
  chunksSent: number;
  bytes: number;
  aborted: boolean;
  /** Why the answer broke off; undefined if it did not. */
  problem: string | undefined;
  /** How long a chat waited for capacity; undefined if capacity is unlimited. */
  queuedMs?: number | undefined;
}

/** A reload of the fixtures. */
export interface JournalReload {
  /** When the fixtures were loaded again, in Unix time in milliseconds. */
  readonly at: number;
  /** How many requests had arrived by then. */
  readonly after: number;
}

/** The journal that an exchange is in. */
export interface JournalOwner {
  /** Undefined for the base session. */
  readonly id: string | undefined;
  /** The session's tables, as they are now. */
  readonly state: { readonly database: unknown };
  /** The emulator's own keys. No journal shows them, wherever a client puts them. */
  readonly ownKeys: readonly string[];
}

/** The answer's status, even if the client left before it was complete; 0 before the answer begins. */
export function statusOf(exchange: RecordedExchange, now: number): number {
  const isKnown = exchange.ended !== "pending" || hasBegun(exchange, now);
  return isKnown ? (exchange.reply?.status ?? 0) : 0;
}

/** Whether the head of the answer has been sent. */
export function hasBegun(exchange: RecordedExchange, now: number): boolean {
  const { reply, ended, aborted, durationMs, started, headAt = started } = exchange;
  const isPending = ended === "pending";
  if (reply === undefined || !(isPending || aborted)) return reply !== undefined;
  return headAt <= (isPending ? now : started + durationMs);
}
