import type { CassetteSet } from "../../replay/cassette-set.ts";
import { recordedReply } from "../../replay/recorded-reply.ts";
import { type PlacedRecording, RecordingBook } from "../../replay/recording-book.ts";
import { isPreflight } from "../../http/cors.ts";
import type { MaybePromise } from "../../http/maybe-promise.ts";
import type { Reply } from "../../http/reply.ts";
import type { Timers } from "../../http/timers.ts";
import type { AnswerAsEver, AskedCall } from "../answer-call.ts";
import { type Mounts, pathInInterface } from "../routes.ts";
import type { Session } from "../session.ts";
import type { ResolvedSettings } from "../settings.ts";
import type { Upstream } from "../upstream.ts";
import { readableByPages } from "./readable-by-pages.ts";
import { recordingAnswerer } from "./recording-answerer.ts";
import { refuseUnrecorded } from "./refuse-unrecorded.ts";

/** What there is to answer from. */
export interface Replaying {
  readonly settings: ResolvedSettings;
  readonly mounts: Mounts;
  readonly upstream: Upstream | undefined;
  readonly timers: Timers;
  /** Answers out of tables and scripts. */
  readonly answerAsEver: AnswerAsEver;
}

/**
 * Answers a call with what was recorded for it. What was not is for the real service, where that is always asked, and
 * else for tables and scripts. Where those have nothing either, the real service answers, or strictness refuses.
 */
export async function answerWithRecordings(asked: AskedCall, replaying: Replaying): Promise<Reply> {
  const { call, route, session } = asked;
  const { settings, mounts, answerAsEver } = replaying;
  const path = pathInInterface(route, mounts);
  const isForBrowser = settings.cors && isPreflight(call);
  if (path === undefined || isForBrowser) return answerAsEver(asked, settings);
  const book = bookOf(session, route.interface);
  if (book === undefined) return answerUnrecorded(asked, path, replaying);
  const body = await call.readBody();
  if (body.kind !== "bytes") return answerAsEver(asked, settings);
  const { method, query, headers } = call;
  const request = book.asRecorded({ method, path, query, headers, body: body.bytes });
  const { plays } = session.state;
  const found = book.next(request, plays);
  if (found !== undefined) {
    plays.add(found.cassette, found.index);
    return replay(found, asked, replaying);
  }
  const reply = await answerUnrecorded(asked, path, replaying);
  const isRefused = reply.isMiss === true && settings.unmatched === "error";
  return isRefused ? refuseUnrecorded({ asked, book, request, reply }, settings) : reply;
}

function replay(
  placed: PlacedRecording,
  asked: AskedCall,
  { settings, timers }: Replaying,
): Promise<Reply> {
  const { speed } = settings;
  const isHead = asked.call.method === "HEAD";
  const elapsedMs = timers.now() - asked.started;
  const reply = recordedReply(placed.recording.answer, { speed, isHead, elapsedMs });
  const answeredBy = recordingAnswerer(placed);
  return readableByPages({ ...reply, answeredBy }, asked.route, settings);
}

/** Answers a call that was not recorded. The mark of a miss stays only where nobody was left to ask. */
async function answerUnrecorded(
  asked: AskedCall,
  path: string,
  { settings, upstream, answerAsEver }: Replaying,
): Promise<Reply> {
  const { call, route } = asked;
  const ask = (): MaybePromise<Reply> | undefined =>
    upstream?.answer({ call, interface: route.interface, path });
  const first = upstream?.asked === "always" ? await ask() : undefined;
  if (first !== undefined) return readableByPages(first, route, settings);
  const reply = await answerAsEver(asked, settings);
  if (reply.isMiss !== true || upstream?.asked !== "on-miss") return reply;
  const other = await ask();
  return other === undefined ? reply : readableByPages(other, route, settings);
}

type Books = Map<AskedCall["route"]["interface"], RecordingBook>;

/** Made with the first call: to compare requests takes longer than to read them. */
const books: WeakMap<CassetteSet, Books> = new WeakMap();

/** The recordings of an interface. Undefined: it has no cassettes. */
function bookOf(
  { cassettes: set, ownKeys }: Session,
  of: AskedCall["route"]["interface"],
): RecordingBook | undefined {
  if (set === undefined || set.cassettes.every((cassette) => cassette.interface !== of)) {
    return undefined;
  }
  const known: Books = books.get(set) ?? new Map();
  books.set(set, known);
  const book = known.get(of) ?? new RecordingBook(set, { of, ownKeys });
  known.set(of, book);
  return book;
}
