import type {
  RecordedAnswer,
  RecordedRequest,
  Recording,
  SentRequest,
} from "../../../core/replay/cassette.ts";
import type { CompiledRules } from "../../../core/replay/recording-rules.ts";
import { NumberedPlaceholders } from "./numbered-placeholders.ts";
import { redactBody, redactStream } from "./redact-body.ts";
import { redactHeaders, redactParts, redactRequest } from "./redact-request.ts";
import type { Redaction } from "./redaction.ts";

/** One exchange, without what must not be written. */
export interface RedactedExchange {
  /** What replay looks for: only the request itself says what is secret in it. */
  readonly request: RecordedRequest;
  /** Both, to be written: what only the answer shows to be secret is taken out of the request, too. */
  readonly recording: (answer: RecordedAnswer) => Recording;
  /** The values found so far that only their looks show to be secret, with their kinds. */
  readonly likely: ReadonlyMap<string, string>;
}

/** Begins with a request. The same one gives the same each time, whatever key it is sent with. */
export function redactExchange(
  sent: SentRequest,
  rules: CompiledRules,
  of: Redaction["of"],
): RedactedExchange {
  const placeholders = new NumberedPlaceholders(rules);
  const { everywhere: secrets } = placeholders;
  const latest = { text: "", lines: [] };
  const redaction = { rules, placeholders, of, secrets, isLearning: false, latest };
  const learning = { ...redaction, secrets: new Map(), isLearning: true };
  redactParts(sent, learning);
  const request = redactRequest(sent, redaction);
  const known = secrets.size;
  return {
    request,
    likely: placeholders.likely,
    recording(given) {
      redactAnswer(given, learning);
      const answer = redactAnswer(given, redaction);
      const hasMore = secrets.size > known;
      return { request: hasMore ? redactRequest(sent, redaction) : request, answer };
    },
  };
}

/** An answer without what is to be taken out. */
function redactAnswer(answer: RecordedAnswer, redaction: Redaction): RecordedAnswer {
  const { headers, body, stream } = answer;
  return {
    ...answer,
    headers: redactHeaders(headers, redaction),
    ...(body === undefined ? {} : { body: redactBody(body, redaction) }),
    ...(stream === undefined ? {} : { stream: redactStream(stream, redaction) }),
  };
}
