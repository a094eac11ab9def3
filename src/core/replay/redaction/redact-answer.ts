import { binaryText } from "../base64.ts";
import type { RecordedAnswer } from "../cassette.ts";
import { bodyBytes, bodyText } from "../recorded-body.ts";
import { learnFromBody, redactBody } from "./redact-body.ts";
import { learnFromKeptHeader, redactHeaders } from "./redact-header.ts";
import { learnFromStream, piecesOf, redactStream, type StreamKind } from "./redact-stream.ts";
import type { Redaction } from "./redaction.ts";

/** An answer without what is to be taken out. Its own secrets are looked for in every place from now on. */
export function redactAnswer(answer: RecordedAnswer, redaction: Redaction): RecordedAnswer {
  const { body, stream } = answer;
  const kind = streamKind(answer.headers);
  const pieces = stream === undefined ? [] : piecesOf(stream);
  const whole = pieces.join("");
  const text = body === undefined ? undefined : (bodyText(body) ?? binaryText(bodyBytes(body)));
  for (const shown of [JSON.stringify(answer.headers), text ?? "", whole]) {
    redaction.placeholders.reserve(shown);
  }
  learnFromHeaders(answer.headers, redaction);
  if (text !== undefined) learnFromBody(text, redaction);
  if (stream !== undefined) learnFromStream(whole, redaction, kind);
  const headers = redactHeaders(answer.headers, redaction);
  return {
    ...answer,
    headers,
    ...(body === undefined ? {} : { body: redactBody(body, redaction) }),
    ...(stream === undefined ? {} : { stream: redactStream(stream, pieces, { redaction, kind }) }),
  };
}

function learnFromHeaders(headers: RecordedAnswer["headers"], redaction: Redaction): void {
  for (const name of Object.keys(headers).toSorted()) {
    learnFromKeptHeader(name, headers[name] ?? "", redaction);
  }
}

const lined = /event-stream|ndjson|jsonl|json-lines|json-seq/i;

function streamKind(headers: Readonly<Record<string, string>>): StreamKind {
  return { hasLines: lined.test(headers["content-type"] ?? "") };
}
