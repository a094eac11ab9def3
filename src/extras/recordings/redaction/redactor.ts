import { binaryText } from "../../../core/replay/base64.ts";
import type {
  RecordedAnswer,
  RecordedRequest,
  Recording,
  SentRequest,
} from "../../../core/replay/cassette.ts";
import { bodyBytes, bodyText } from "../../../core/replay/recorded-body.ts";
import type { CompiledRules } from "../../../core/replay/recording-rules.ts";
import { NumberedPlaceholders } from "./numbered-placeholders.ts";
import {
  learnFromBody,
  learnFromStream,
  piecesOf,
  redactBody,
  redactStream,
  type StreamKind,
} from "./redact-body.ts";
import {
  learnFromKeptHeader,
  learnFromRequest,
  redactHeaderValues,
  redactRequest,
} from "./redact-request.ts";
import type { Redaction } from "./redaction.ts";

/** Takes out of exchanges what must not be written. */
export interface Redactor {
  /** Begins with a request. The same one gives the same each time, whatever key it is sent with. */
  readonly exchange: (sent: SentRequest) => RedactedExchange;
}

/** One exchange, without what must not be written. */
export interface RedactedExchange {
  /** What replay looks for: only the request itself says what is secret in it. */
  readonly request: RecordedRequest;
  /** The answer, with the placeholders of the request. */
  readonly answer: (answer: RecordedAnswer) => RecordedAnswer;
  /** Both, to be written: what only the answer shows to be secret is taken out of the request, too. */
  readonly recording: (answer: RecordedAnswer) => Recording;
}

/** What the rules do not say. */
export interface RedactorOptions {
  /** Whose queries they are: a table's parameters are columns, of which one may be called `key`. Default: any. */
  readonly of?: "chat" | "rest";
}

/** A redactor by the rules of a fixture set. */
export function createRedactor(rules: CompiledRules, options: RedactorOptions = {}): Redactor {
  return {
    exchange(sent) {
      const placeholders = new NumberedPlaceholders(rules);
      return redactedExchange(sent, {
        rules,
        placeholders,
        of: options.of,
        seen: new Map(),
      });
    },
  };
}

function redactedExchange(sent: SentRequest, redaction: Redaction): RedactedExchange {
  learnFromRequest(sent, redaction);
  const request = redactRequest(sent, redaction);
  const known = redaction.placeholders.everywhere.size;
  const answer = (given: RecordedAnswer): RecordedAnswer => redactAnswer(given, redaction);
  return {
    request,
    answer,
    recording(given) {
      const redacted = answer(given);
      const hasMore = redaction.placeholders.everywhere.size > known;
      return { request: hasMore ? redactRequest(sent, redaction) : request, answer: redacted };
    },
  };
}

/** An answer without what is to be taken out. Its own secrets are looked for in every place from now on. */
function redactAnswer(answer: RecordedAnswer, redaction: Redaction): RecordedAnswer {
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
  const headers = redactHeaderValues(answer.headers, redaction);
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
