import { didYouMean } from "../errors/nearest-name.ts";
import { jsonReply, type Reply, type ReplyHeaders } from "../http/reply.ts";
import { cut, show } from "./show.ts";

/** An answer that is an error, before it is put on the wire. */
export interface ChatError {
  readonly status: number;
  readonly message: string;
  readonly type: string;
  readonly code: string | null;
  /** The path of the request field that is wrong. */
  readonly param: string | null;
  readonly headers?: ReplyHeaders;
  /** For the log: what gave this answer. Default: the code, else the type. */
  readonly answeredBy?: string;
}

/** Tells SDKs not to try again, whatever the status says. */
const noRetry: ReplyHeaders = { "x-should-retry": "false" };

type Details = Partial<Omit<ChatError, "status" | "message">>;

function invalidRequest(status: number, message: string, details: Details = {}): ChatError {
  return { status, message, type: "invalid_request_error", code: null, param: null, ...details };
}

function badField(param: string, code: string, problem: string): ChatError {
  return invalidRequest(400, `Cannot read the request: ${problem}`, { param, code });
}

/** Every error that the chat interface answers with. Scripted ones aside, there are no others. */
export const chatErrors = {
  noKey: (): ChatError =>
    invalidRequest(
      401,
      "Cannot answer without an API key: the request has no usable Authorization header. " +
        'Send "Authorization: Bearer YOUR_KEY".',
    ),
  wrongKey: (key: string): ChatError =>
    invalidRequest(
      401,
      `Cannot answer: the API key ${maskKey(key)} is not one of those accepted.`,
      {
        code: "invalid_api_key",
      },
    ),
  unknownPath: (method: string, path: string, valid: readonly string[]): ChatError =>
    invalidRequest(
      404,
      `Cannot answer ${method} ${cut(path)}: there is no such path. Use ${valid.join(", ")}.`,
      { code: "unknown_url" },
    ),
  wrongMethod: (method: string, path: string, allowed: readonly string[]): ChatError =>
    invalidRequest(
      405,
      `Cannot answer ${method} ${cut(path)}: only ${allowed.join(" and ")} can be used there.`,
      { code: "method_not_supported", headers: { allow: allowed.join(", ") } },
    ),
  bodyTooLarge: (limit: number): ChatError =>
    invalidRequest(413, `Cannot read the request: its body has more than ${limit} bytes.`, {
      code: "request_too_large",
    }),
  bodyCutShort: (): ChatError =>
    invalidRequest(
      400,
      "Cannot read the request: the client went away before its body was complete.",
    ),
  notJson: (problem: string): ChatError =>
    invalidRequest(
      400,
      `Cannot read the request: its body is not JSON (${cut(problem)}). Send one JSON object with ` +
        '"content-type: application/json"; most HTTP libraries have an option for that.',
    ),
  notAnObject: (body: unknown): ChatError =>
    invalidRequest(
      400,
      `Cannot read the request: its body has to be a JSON object, but it is ${show(body)}.`,
      { code: "invalid_type" },
    ),
  missing: (param: string): ChatError =>
    badField(param, "missing_required_parameter", `the parameter "${param}" is missing.`),
  wrongType: (param: string, expected: string, value: unknown): ChatError =>
    badField(param, "invalid_type", `"${param}" has to be ${expected}, but it is ${show(value)}.`),
  wrongValue: (param: string, value: unknown, supported: readonly string[]): ChatError =>
    badField(
      param,
      "invalid_value",
      `"${param}" is ${show(value)}, but it has to be one of ${supported.join(", ")}.` +
        (typeof value === "string" ? didYouMean(value, supported) : ""),
    ),
  outOfRange: (param: string, value: number, bounds: Bounds): ChatError =>
    badField(param, rangeCode(value, bounds), `"${param}" is ${value}, ${describeBounds(bounds)}`),
  wrongName: (param: string, value: unknown): ChatError =>
    badField(
      param,
      "invalid_value",
      `"${param}" is ${show(value)}, but it has to be 1 to 64 letters, digits, "_" or "-".`,
    ),
  arrayTooLong: (param: string, length: number, most: number): ChatError =>
    badField(
      param,
      "array_above_max_length",
      `"${param}" has ${length} items, but it can have at most ${most}.`,
    ),
  emptyArray: (param: string): ChatError =>
    badField(param, "empty_array", `"${param}" is empty, but it needs at least one item.`),
  unknownModel: (id: string, known: readonly string[]): ChatError =>
    invalidRequest(
      404,
      `Cannot answer: the model \`${cut(id)}\` does not exist or you do not have access to it.` +
        (didYouMean(id, known) || " GET /models lists those that exist."),
      { code: "model_not_found" },
    ),
  notAChatModel: (id: string, chatModels: readonly string[]): ChatError =>
    invalidRequest(
      404,
      `Cannot answer: \`${cut(id)}\` is not a chat model. Use one of these: ` +
        `${chatModels.slice(0, 10).join(", ") || "there is none in the fixtures"}.`,
      { code: "model_not_supported", param: "model" },
    ),
  noScriptMatched: (problem: string, closest: string | undefined): ChatError =>
    invalidRequest(404, `Cannot answer: no script matches the request. ${problem}`, {
      code: "no_script_matched",
      headers: noRetry,
      answeredBy: closest === undefined ? "no script" : `no script (closest: "${closest}")`,
    }),
  answerTooLarge: (characters: number, limit: number): ChatError =>
    invalidRequest(
      400,
      `Cannot answer: all choices together would have ${characters} characters, and ${limit} is the most. ` +
        "Ask for fewer choices, or send a shorter message.",
      { code: "answer_too_large", param: "n" },
    ),
  templateFailed: (script: string, problem: string): ChatError => ({
    status: 500,
    message: `Cannot answer with the script "${script}". ${problem}`,
    type: "server_error",
    code: "template_failed",
    param: null,
    headers: noRetry,
  }),
} as const;

/** What a number has to be. */
export interface Bounds {
  readonly kind: "decimal" | "integer";
  readonly least: number;
  readonly greatest?: number;
}

function rangeCode(value: number, { kind, least }: Bounds): string {
  return `${kind}_${value < least ? "below_min" : "above_max"}_value`;
}

function describeBounds({ least, greatest }: Bounds): string {
  if (greatest === undefined) return `but it has to be ${least} or more.`;
  return `but it has to be from ${least} to ${greatest}.`;
}

/** Shows enough of a key to recognise it, and not enough to use it. */
function maskKey(key: string): string {
  const stars = "*".repeat(8);
  return key.length < 12 ? stars : `${key.slice(0, 3)}${stars}${key.slice(-4)}`;
}

/** An error in the envelope that clients of chat completions expect: four keys, always. */
export function errorReply(error: ChatError): Reply {
  const { status, message, type, param, code, headers, answeredBy } = error;
  const reply = jsonReply(status, { error: { message, type, param, code } }, headers);
  return { ...reply, answeredBy: answeredBy ?? code ?? type };
}
