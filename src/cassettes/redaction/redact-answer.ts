import type { RecordedAnswer } from "../cassette.ts";
import { bodyText } from "../recorded-body.ts";
import { learnFromBody, redactBody } from "./redact-body.ts";
import { learnFromKeptHeader, redactHeaders } from "./redact-header.ts";
import { learnFromStream, redactStream, type StreamKind } from "./redact-stream.ts";
import type { Redaction } from "./redaction.ts";

/** Has the secrets of an answer looked for in every place. */
export function learnFromAnswer(answer: RecordedAnswer, redaction: Redaction): void {
  const { headers, body, stream } = answer;
  redaction.placeholders.reserve(JSON.stringify([headers, body, stream]));
  for (const name of Object.keys(headers).toSorted()) {
    learnFromKeptHeader(name, headers[name] ?? "", redaction);
  }
  if (body !== undefined) learnFromBody(bodyText(body) ?? "", redaction);
  if (stream !== undefined) learnFromStream(stream, redaction, streamKind(headers));
}

/** An answer without what is to be taken out. */
export function redactAnswer(answer: RecordedAnswer, redaction: Redaction): RecordedAnswer {
  const { body, stream } = answer;
  const headers = redactHeaders(answer.headers, redaction);
  return {
    ...answer,
    headers,
    ...(body === undefined ? {} : { body: redactBody(body, redaction) }),
    ...(stream === undefined
      ? {}
      : { stream: redactStream(stream, redaction, streamKind(answer.headers)) }),
  };
}

const lined = /event-stream|ndjson|jsonl|json-lines|json-seq/i;

function streamKind(headers: Readonly<Record<string, string>>): StreamKind {
  return { hasLines: lined.test(headers["content-type"] ?? "") };
}
