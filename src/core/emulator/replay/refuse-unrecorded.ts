import { closestRecording, describeUnrecorded } from "../../replay/closest-recording.ts";
import type { RecordedRequest } from "../../replay/cassette.ts";
import type { RecordingBook } from "../../replay/recording-book.ts";
import { once } from "../../http/maybe-promise.ts";
import type { Reply } from "../../http/reply.ts";
import { refuseUnrecordedRow } from "../../rest/fail-tables.ts";
import type { AskedCall } from "../answer-call.ts";
import { createId } from "../environment.ts";
import type { ResolvedSettings } from "../settings.ts";
import { unrecordedAnswerer } from "./recording-answerer.ts";

const chat = once(() => import("../../chat/fail-chat.ts"));

/** A request that is neither recorded nor answered by tables and scripts. */
export interface Unrecorded {
  readonly asked: AskedCall;
  readonly book: RecordingBook;
  readonly request: RecordedRequest;
  /** What is said without recordings. */
  readonly reply: Reply;
}

/** Refuses what was not recorded, in the form of the interface, and says what comes closest. */
export async function refuseUnrecorded(
  { asked, book, request, reply }: Unrecorded,
  settings: ResolvedSettings,
): Promise<Reply> {
  const { call, route, session } = asked;
  const { cors } = settings;
  const closest = closestRecording(book, request);
  const message = describeUnrecorded(request, closest);
  const answeredBy = unrecordedAnswerer(closest, reply.answeredBy);
  if (route.interface === "rest") {
    const stages = await settings.restProfile.stages();
    return { ...refuseUnrecordedRow(call, message, { stages, cors }), answeredBy };
  }
  const { refuseUnrecordedChat } = await chat();
  const refused = refuseUnrecordedChat(call, message, {
    now: session.now,
    cors,
    createId: (prefix) => createId(prefix, session.state.random),
  });
  return { ...refused, answeredBy };
}
