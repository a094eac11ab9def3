import type { RecordedAnswer, RecordedPart } from "../../../core/replay/cassette.ts";
import { bodyBytes } from "../../../core/replay/recorded-body.ts";
import type { AnswerBody } from "./answer.ts";
import { bodyOf } from "./read-answer.ts";

/** The body of a recorded answer, as one that is read of a service. */
export function recordedBody({ body, stream, headers }: RecordedAnswer): AnswerBody {
  const parts = stream?.map(partBytes) ?? (body === undefined ? [] : [bodyBytes(body)]);
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.byteLength;
  }
  return bodyOf(joined, new Map(Object.entries(headers)));
}

function partBytes(part: RecordedPart): Uint8Array {
  return bodyBytes("text" in part ? { text: part.text } : { base64: part.base64 });
}
