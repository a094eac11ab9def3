import type { CassetteSet, RecordedRequest } from "../../replay/cassette.ts";
import { closestRecording, describeUnrecorded } from "../../replay/closest-recording.ts";
import { recordedReply } from "../../replay/recorded-reply.ts";
import {
  asRecordedRequest,
  type PlacedRecording,
  RecordingBook,
} from "../../replay/recording-book.ts";
import type { Answerer, ClosestRecording, RecordingPlace } from "../../http/answerer.ts";
import { isPreflight } from "../../http/cors.ts";
import type { Reply } from "../../http/reply.ts";
import type { Timers } from "../../http/scheduler.ts";
import { refuseUnrecordedRow } from "../../rest/answer-tables.ts";
import type { AnswerAsEver, AskedCall } from "../answer-call.ts";
import { createId } from "../environment.ts";
import { keysIn, withoutKeys } from "../journal/redaction.ts";
import { type Mounts, pathInInterface } from "../routes.ts";
import type { Session } from "../session.ts";
import type { ResolvedSettings } from "../settings.ts";
import type { Upstream } from "../upstream.ts";
import { readableByPages } from "./readable-by-pages.ts";

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
  const sent = { method, path, query, headers, body: body.bytes };
  const request = asRecordedRequest(sent, book.rules);
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
  const ask = (): Promise<Reply> | undefined =>
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
  { cassettes: set }: Session,
  of: AskedCall["route"]["interface"],
): RecordingBook | undefined {
  if (set === undefined || set.cassettes.every((cassette) => cassette.interface !== of)) {
    return undefined;
  }
  const known: Books = books.get(set) ?? new Map();
  books.set(set, known);
  const book = known.get(of) ?? new RecordingBook(set, of);
  known.set(of, book);
  return book;
}

function describePlace({ cassette, number }: RecordingPlace): string {
  return `cassette ${JSON.stringify(cassette)} ${number}`;
}

/** A recording that answered. */
function recordingAnswerer({ cassette, index }: PlacedRecording): Answerer {
  const recording: RecordingPlace = { cassette, number: index + 1 };
  return { label: () => describePlace(recording), details: () => ({ recording }) };
}

/** The want of a recording. What would have answered without tells of itself, too. */
function unrecordedAnswerer(
  closest: ClosestRecording | undefined,
  answeredBy: Reply["answeredBy"],
): Answerer {
  const label =
    closest === undefined ? "not recorded" : `not recorded (closest: ${describePlace(closest)})`;
  return {
    label: () => label,
    details: (scene) => ({
      ...(typeof answeredBy === "object" ? answeredBy.details(scene) : {}),
      ...(closest === undefined ? {} : { closestRecording: closest }),
    }),
  };
}

/** A request that is neither recorded nor answered by tables and scripts. */
interface Unrecorded {
  readonly asked: AskedCall;
  readonly book: RecordingBook;
  readonly request: RecordedRequest;
  /** What is said without recordings. */
  readonly reply: Reply;
}

/** Refuses what was not recorded, in the form of the interface, and says what comes closest. */
async function refuseUnrecorded(
  { asked, book, request, reply }: Unrecorded,
  settings: ResolvedSettings,
): Promise<Reply> {
  const { call, route, session } = asked;
  const { cors } = settings;
  const keys = [...session.ownKeys, ...keysIn(call.headers)];
  const hideKeys = (text: string): string => withoutKeys(text, keys);
  const closest = closestRecording(book, request, hideKeys);
  const message = describeUnrecorded({ ...request, path: hideKeys(request.path) }, closest);
  const answeredBy = unrecordedAnswerer(closest, reply.answeredBy);
  if (route.interface === "rest") {
    const stages = await settings.restProfile.stages();
    return { ...refuseUnrecordedRow(call, message, { stages, cors }), answeredBy };
  }
  const { refuseUnrecordedChat } = await import("../../chat/answer-chat.ts");
  const refused = refuseUnrecordedChat(call, message, {
    now: session.now,
    cors,
    createId: (prefix) => createId(prefix, session.state.random),
  });
  return { ...refused, answeredBy };
}
