import type { Recording } from "../../../core/recordings/cassette.ts";
import { bodyText } from "../../../core/recordings/recorded-body.ts";
import { type RequestView, viewOf } from "../../../core/chat/matching/criteria.ts";
import { documentRules } from "../../../core/chat/request/request-rules.ts";
import { requestInChatForm } from "../../../core/chat/forms/responses-request.ts";
import { asObject, parseJson } from "../../../core/schema/json.ts";
import { readRequest } from "../../../core/chat/request/admit-request.ts";

/** The cassette of a recording, and its number there, from 1. */
interface RecordedPlace {
  readonly cassette: string;
  readonly number: number;
}

/** A recorded chat request that a script can answer. */
export interface RecordedChat extends RecordedPlace {
  readonly view: RequestView;
  readonly recording: Recording;
}

/** A recording as a chat request, or why no script can answer it. */
export function readChat(recording: Recording, place: RecordedPlace): RecordedChat | string {
  const { method, path, headers = {}, body } = recording.request;
  if (method !== "POST" || !/^\/?(?:chat\/completions|responses)\/?$/.test(path)) {
    return `${method} ${path} is no request to a model; scripts answer nothing else`;
  }
  const value = body === undefined ? undefined : parseJson(bodyText(body) ?? "");
  const sent = asObject(value);
  const read = readRequest(
    sent === undefined ? value : requestInChatForm(path, sent),
    documentRules,
  );
  if (!read.ok) {
    return `Backlot refuses this request itself, with ${read.error.status}: ${read.error.message}`;
  }
  const request = { ...read.value, body: sent ?? read.value.body };
  const view = viewOf({ request, headers });
  return { ...place, view, recording };
}
