import type {
  NamedCassette,
  RecordedRequest,
  Recording,
  RecordingPath,
} from "../../../core/replay/cassette.ts";
import { bodyText } from "../../../core/replay/recorded-body.ts";
import { below, isPlace, type PlaceStep, readPlace } from "../../../core/replay/recording-path.ts";
import { RequestView } from "../../../core/chat/matching/request-view.ts";
import { documentRules } from "../../../core/chat/request/request-rules.ts";
import { asObject, type JsonObject } from "../../../core/schema/json.ts";
import { readRequest } from "../../../core/chat/request/read-request.ts";

/** A recorded chat request that a script can answer. */
export interface RecordedChat {
  readonly cassette: string;
  /** The recording's place in it, from 1. */
  readonly number: number;
  readonly view: RequestView;
  readonly headers: Readonly<Record<string, string>>;
  /** Its body without what is declared volatile. */
  readonly steady: JsonObject;
  readonly recording: Recording;
}

/** A recording as a chat request, or why no script can answer it. */
export function readChat(
  cassette: NamedCassette,
  number: number,
  {
    recording,
    volatile,
  }: { readonly recording: Recording; readonly volatile: readonly RecordingPath[] },
): RecordedChat | string {
  const { request } = recording;
  const { method, path, headers = {} } = request;
  if (method !== "POST" || !/^\/?chat\/completions\/?$/.test(path)) {
    return `${method} ${path} is no chat completion, which is all that scripts answer`;
  }
  const body = jsonOf(request);
  const read = readRequest(body, documentRules);
  if (!read.ok) {
    return `Backlot refuses this request itself, with ${read.error.status}: ${read.error.message}`;
  }
  return {
    cassette: cassette.name,
    number,
    view: new RequestView({ request: read.value, headers }),
    headers,
    steady: asObject(without(body, placesInBody(volatile))) ?? {},
    recording,
  };
}

function jsonOf({ body }: RecordedRequest): unknown {
  if (body === undefined) return undefined;
  if ("json" in body) return body.json;
  try {
    return JSON.parse(bodyText(body) ?? "");
  } catch {
    return undefined;
  }
}

/** A copy without what is at the places. */
function without(value: unknown, places: readonly (readonly PlaceStep[])[]): unknown {
  if (places.length === 0 || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => without(item, below(places, `${index}`)));
  }
  const kept = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    const inner = below(places, key);
    return isPlace(inner) ? [] : [[key, without(item, inner)]];
  });
  return Object.fromEntries(kept);
}

/** The places in bodies that paths name. */
function placesInBody(paths: readonly RecordingPath[]): readonly (readonly PlaceStep[])[] {
  return paths.map(readPlace).flatMap(({ head, steps }) => (head === "body" ? [steps] : []));
}
