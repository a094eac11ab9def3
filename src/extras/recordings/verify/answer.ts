import type { RecordedAnswer } from "../../../core/recordings/cassette.ts";
import { bodyBytes } from "../../../core/recordings/recorded-body.ts";
import { isObject, isPresent, parseJson } from "../../../core/schema/json.ts";
import { isEventStream, type ServerSentEvent, readEvents } from "../event-stream.ts";
import { joinBytes } from "../../../core/http/bytes.ts";

/** An event of a stream, as it is compared. */
export interface ComparedEvent {
  /** `role`, `content`, `tool_calls`, `reasoning`, `refusal`, `finish`, `usage`, `error`, `chunk`, `[DONE]`, `text`, or its name. */
  readonly kind: string;
  /** The event's data, parsed as JSON; undefined if it is not JSON. */
  readonly json: unknown;
}

/** A body, as far as it is compared. */
export type AnswerBody =
  | { readonly kind: "none" }
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "events"; readonly events: readonly ComparedEvent[] }
  | { readonly kind: "text" }
  | { readonly kind: "bytes" };

/** An answer of the service or the emulator. */
export interface Answer {
  /** The status; 0 if not even a head arrived. Then `end` says why. */
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: AnswerBody;
  /**
   * How the answer ended: properly, with a broken connection, not within the time limit, or cut off because it was too
   * long.
   */
  readonly end: "close" | "reset" | "hang" | "too-long";
}

/** The body with these bytes, interpreted by its type. */
export function bodyOf(bytes: Uint8Array, headers: Answer["headers"]): AnswerBody {
  if (bytes.byteLength === 0) return { kind: "none" };
  if (isEventStream(headers.get("content-type"), bytes)) {
    const events = readEvents(new TextDecoder().decode(bytes));
    return { kind: "events", events: events.map(comparedEvent) };
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { kind: "bytes" };
  }
  const value = parseJson(text);
  return value === undefined ? { kind: "text" } : { kind: "json", value };
}

/** The body of a recorded answer, in the form of one that was received. */
export function recordedBody({ body, stream, headers }: RecordedAnswer): AnswerBody {
  const parts = stream ?? (body === undefined ? [] : [body]);
  return bodyOf(joinBytes(parts.map(bodyBytes)), new Map(Object.entries(headers)));
}

/** The media type in a `content-type` header, without parameters; undefined if there is none. */
export function mediaType(contentType: string = ""): string | undefined {
  const [type = ""] = contentType.split(";");
  return type.trim() === "" ? undefined : type.trim().toLowerCase();
}

/** Determines the kind of an event. */
export function comparedEvent({ event, data }: ServerSentEvent): ComparedEvent {
  if (data.trim() === "[DONE]") return { kind: "[DONE]", json: undefined };
  const json = parseJson(data);
  if (event !== undefined) return { kind: `event ${event}`, json };
  return { kind: json === undefined ? "text" : kindOf(json), json };
}

/** The keys of a delta, each with a kind of chunk. The first key that is present decides the kind. */
const deltaKinds = [
  ["role", "role"],
  ["tool_calls", "tool_calls"],
  ["reasoning_content", "reasoning"],
  ["reasoning", "reasoning"],
  ["refusal", "refusal"],
  ["content", "content"],
] as const;

function kindOf(json: unknown): string {
  if (has(json, "error")) return "error";
  if (!isObject(json) || !Array.isArray(json["choices"])) return "chunk";
  const choices: readonly unknown[] = json["choices"];
  if (choices.length === 0 && has(json, "usage")) return "usage";
  if (choices.some((choice) => has(choice, "finish_reason"))) return "finish";
  const deltas = choices.map((choice) => (isObject(choice) ? choice["delta"] : undefined));
  const found = deltaKinds.find(([key]) => deltas.some((delta) => has(delta, key)));
  return found?.[1] ?? "chunk";
}

function has(value: unknown, key: string): boolean {
  return isObject(value) && isPresent(value[key]);
}
