import type { CassetteSet } from "../../../core/recordings/cassette.ts";
import { closestRecording, describeUnrecorded } from "./closest-recording.ts";
import { recordedReply } from "./recorded-reply.ts";
import { asRecordedRequest } from "./recorded-request.ts";
import { RecordingBook } from "./recording-book.ts";
import {
  type Answerer,
  type ClosestRecording,
  detailsOf,
  outcomeOf,
  type RecordingPlace,
} from "../../../core/http/answerer.ts";
import type { Reply } from "../../../core/http/reply.ts";
import { isPreflight } from "../../../core/http/cors.ts";
import { asObject, parseJson } from "../../../core/schema/json.ts";
import type { Exchange } from "../../../core/emulator/exchange.ts";
import { keysIn, withoutKeys } from "../../../core/emulator/journal/redaction.ts";
import type { Session } from "../../../core/emulator/session.ts";
import type { Interface, InterfaceName } from "../../../core/interface.ts";
import type { AnswerSources } from "../../../core/emulator/sockets/replay.ts";
import { asSandboxedPage } from "../../../core/emulator/sandboxed-page.ts";
import { withServiceCors } from "../../../core/emulator/service-cors.ts";

/**
 * Answers a call from its recording. Without one, the real service answers if it is always asked, else tables and
 * scripts. If they have nothing either, the real service answers, or strict mode refuses.
 */
export async function answerWithRecordings(
  exchange: Exchange,
  sources: AnswerSources,
): Promise<Reply> {
  const { call, route, session, settings } = exchange;
  const { answerFromFixtures } = sources;
  const path = route.pathInService;
  const isForBrowser = settings.cors && isPreflight(call);
  if (path === undefined || isForBrowser) return answerFromFixtures(exchange);
  const book = bookOf(session, route.interface);
  if (book === undefined) return answerUnrecorded(exchange, path, sources);
  const body = await call.readBody();
  if (body.kind !== "bytes") return answerFromFixtures(exchange);
  const { method, query, headers } = call;
  const sent = { method, path, query, headers, body: body.bytes };
  const request = asRecordedRequest(sent, book.rules);
  const { plays } = session.state;
  const found = book.next(request, plays);
  if (found !== undefined) {
    const { cassette, index, recording } = found;
    plays.add(cassette, index);
    sources.plays.add(cassette, index);
    const elapsedMs = sources.timers.now() - exchange.started;
    const pace = { speed: settings.speed, isHead: method === "HEAD", elapsedMs };
    const place = { cassette, number: index + 1 };
    const answeredBy = {
      label: () => describePlace(place),
      outcome: () => ({ recording: place }),
      details: () => ({}),
    };
    const reply = { ...recordedReply(recording.answer, pace), answeredBy };
    return asServiceAnswer(reply, exchange);
  }
  const reply = await answerUnrecorded(exchange, path, sources);
  const refusal = refusalOf(reply, route.interface);
  const isRefused = reply.isMiss === true || refusal !== undefined;
  if (!isRefused || settings.unmatched !== "error") return reply;
  const keys = [...session.ownKeys, ...keysIn(headers)].flatMap((key) => [
    key,
    encodeURIComponent(key),
  ]);
  const hideKeys = (text: string): string => withoutKeys(text, keys);
  const closest = closestRecording(book, request, hideKeys);
  const unrecorded = describeUnrecorded({ ...request, path: hideKeys(path) }, closest);
  const message =
    reply.isMiss === true || refusal === undefined
      ? unrecorded
      : `${unrecorded}\nBacklot itself refuses it, too: ${hideKeys(refusal)}`;
  const answeredBy = unrecordedAnswerer(closest, reply.answeredBy);
  return { ...(await route.interface.refuseUnrecorded(exchange, message)), answeredBy };
}

/**
 * A service's answer, with the headers that let pages read it, and sandboxed: it gets no rights of this server's own
 * pages.
 */
async function asServiceAnswer(reply: Reply, exchange: Exchange): Promise<Reply> {
  return asSandboxedPage(await withServiceCors(reply, exchange), exchange.call.headers);
}

/**
 * Why Backlot itself refuses a call. Undefined if it answers, even with an error that depends on rows, scripts or
 * limits.
 */
function refusalOf({ status, answeredBy, body }: Reply, asked: Interface): string | undefined {
  const isOfState = asked.statusesOfState.includes(status);
  if (status < 400 || status > 499 || isOfState) return undefined;
  if (typeof answeredBy === "object" || body.kind !== "text") return undefined;
  const error = asObject(parseJson(body.text))?.["error"];
  const why = asObject(error)?.["message"] ?? error;
  return typeof why === "string" ? why : String(status);
}

/** Answers a call that was not recorded. The reply is marked as a miss only if nobody else can answer. */
async function answerUnrecorded(
  exchange: Exchange,
  path: string,
  { upstream, answerFromFixtures }: AnswerSources,
): Promise<Reply> {
  const { call, route } = exchange;
  const ask = async (): Promise<Reply | undefined> => {
    const answer = await upstream?.answer({ call, interface: route.interface, path });
    return answer === undefined ? undefined : asServiceAnswer(answer, exchange);
  };
  // The root is never recorded, since its answer lists the addresses of the interfaces.
  const isIndex = call.path === "/" && /^(?:GET|HEAD)$/.test(call.method);
  const first = upstream?.asked === "always" && !isIndex ? await ask() : undefined;
  if (first !== undefined) return first;
  const reply = await answerFromFixtures(exchange);
  if (reply.isMiss !== true || upstream?.asked !== "on-miss") return reply;
  return (await ask()) ?? reply;
}

/**
 * The books of each set, by interface. Created with the first call, since comparing requests needs more code than
 * reading them.
 */
const books: WeakMap<CassetteSet, Map<InterfaceName, RecordingBook>> = new WeakMap();

/** The recordings of an interface. Undefined: it has no cassettes. */
function bookOf({ cassettes: set }: Session, { name }: Interface): RecordingBook | undefined {
  if (set?.cassettes.some((cassette) => cassette.interface === name) !== true) return undefined;
  const ofSet = books.get(set) ?? new Map<InterfaceName, RecordingBook>();
  books.set(set, ofSet);
  const book = ofSet.get(name) ?? new RecordingBook(set, name);
  ofSet.set(name, book);
  return book;
}

function describePlace({ cassette, number }: RecordingPlace): string {
  return `cassette ${JSON.stringify(cassette)} ${number}`;
}

/** Marks a reply as not recorded, and keeps what answered it. */
function unrecordedAnswerer(
  closest: ClosestRecording | undefined,
  answeredBy: Reply["answeredBy"],
): Answerer {
  const label =
    closest === undefined ? "not recorded" : `not recorded (closest: ${describePlace(closest)})`;
  return {
    label: () => label,
    outcome: () => outcomeOf(answeredBy),
    details: (scene) => ({
      ...detailsOf(answeredBy, scene),
      ...(closest === undefined ? {} : { closestRecording: closest }),
    }),
  };
}
