import type { RecordedAnswer, RecordedRequest, Recording, RecordingRules } from "./cassette.ts";
import { compileRules } from "./redaction/compiled-rules.ts";
import { Placeholders } from "./redaction/placeholders.ts";
import { redactAnswer } from "./redaction/redact-answer.ts";
import { learnFromRequest, redactRequest } from "./redaction/redact-request.ts";
import type { Redaction } from "./redaction/redaction.ts";
import type { SentRequest } from "./sent-request.ts";

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
  /** Keys of the emulator. They are no secrets of a service, and may be as short as a word. Default: none. */
  readonly ownKeys?: readonly string[];
}

/** A redactor by the rules of a fixture set. A rule that is wrong throws an EmulatorError. */
export function createRedactor(rules: RecordingRules, options: RedactorOptions = {}): Redactor {
  const compiled = compileRules(rules);
  const names = new Set(rules.redact.map(({ as }) => as));
  const ownKeys = new Set(options.ownKeys);
  return {
    exchange(sent) {
      const placeholders = new Placeholders({ names, ownKeys });
      return redactedExchange(sent, {
        rules: compiled,
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
