import type { RecordedBody, RecordedRequest } from "../../../core/replay/cassette.ts";

/** The body of a request as a JSON object; undefined for any other. */
function jsonObject(body: RecordedBody | undefined): object | undefined {
  if (body === undefined || !("json" in body)) return undefined;
  const { json } = body;
  return typeof json === "object" && json !== null ? json : undefined;
}

/** The messages of a request to chat; undefined where it has none. */
export function messagesOf({ body }: RecordedRequest): readonly unknown[] | undefined {
  const object = jsonObject(body);
  if (object === undefined || !("messages" in object)) return undefined;
  const { messages } = object;
  return Array.isArray(messages) && messages.length > 0 ? messages : undefined;
}

/** The model that a request to chat names. */
export function modelOf({ body }: RecordedRequest): string | undefined {
  const object = jsonObject(body);
  if (object === undefined || !("model" in object)) return undefined;
  return typeof object.model === "string" ? object.model : undefined;
}
