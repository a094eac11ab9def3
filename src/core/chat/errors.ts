import { counted, didYouMean, cut, nearestName, showTyped, showValue } from "../errors/show.ts";
import type { Bounds, Issue } from "../schema/schema.ts";
import type { Answerer } from "../http/answerer.ts";
import { maskKey } from "../http/bearer-key.ts";
import { jsonReply, type Reply, type ReplyHeaders } from "../http/reply.ts";
import type { LoadRefusal } from "./load.ts";
import { duration, type LimitRefusal } from "./rate-limiter.ts";
import { serviceWords } from "./service-words.ts";

/** The organization named in messages. */
export const organization = "org-backlot";

/** The code for a number out of bounds. */
function rangeCode(value: number, { integer = false, least = -Infinity }: Bounds): string {
  return `${integer ? "integer" : "decimal"}_${value < least ? "below_min" : "above_max"}_value`;
}

/** The bounds of a number, in words. */
function describeBounds({ least, most }: Bounds): string {
  return most === undefined ? `${least} or more` : `from ${least} to ${most}`;
}

/** A limit per minute that a request exceeds. */
interface ReachedLimit extends Omit<LimitRefusal, "resetMs"> {
  readonly model: string;
  /** Whether the clock stands still, so that waiting does not help. */
  readonly clockStands?: boolean | undefined;
}

/** Whether the limit will have room for the request at some time. */
function isWorthWaiting({ waitMs, clockStands = false }: ReachedLimit): boolean {
  return Number.isFinite(waitMs) && !clockStands;
}

const perMinute = { requests: "requests per min (RPM)", tokens: "tokens per min (TPM)" } as const;

/** The limit, the amount used, the amount requested, and the wait, as the service writes them: clients read the wait. */
function describeLimit(reached: ReachedLimit): string {
  const { kind, model, limit, remaining, requested, waitMs } = reached;
  const place = `for ${cut(model)} in organization ${organization} on ${perMinute[kind]}: Limit ${limit}`;
  if (!Number.isFinite(waitMs)) {
    return `Request too large ${place}, Requested ${requested}. The request alone is larger than the limit: waiting does not help. Ask for less.`;
  }
  const figures = `Rate limit reached ${place}, Used ${limit - remaining}, Requested ${requested}.`;
  if (isWorthWaiting(reached)) return `${figures} Please try again in ${duration(waitMs)}.`;
  return `${figures} The clock is stopped: waiting does not help. Reset the state, or let the clock run.`;
}

/**
 * The headers that tell clients when to retry. There are two, since some clients know only the one in whole seconds.
 */
export function retryAfter(waitMs: number): ReplyHeaders {
  return {
    "retry-after-ms": String(Math.ceil(waitMs)),
    "retry-after": String(Math.ceil(waitMs / 1000)),
  };
}

/**
 * Suggests one of the paths in a list such as `GET /v1/models`: a surplus slash is the usual mistake. Compares only
 * what comes after `root`, since `root` is right and a longer text would tolerate more typos.
 */
function nearestPath(path: string, valid: readonly string[], root: string): string {
  const below = (whole: string): string =>
    whole.startsWith(`${root}/`) ? whole.slice(root.length) : whole;
  const paths = valid.flatMap((line) => {
    const known = line.slice(line.indexOf("/"));
    return known.includes("{") || known === path ? [] : [below(known)];
  });
  const asked = below(path).replaceAll(/\/+/g, "/").replace(/\/$/, "");
  const nearest = nearestName(asked, paths);
  return nearest === undefined ? "" : ` Did you mean "${root}${nearest}"?`;
}

/** Names in quotes, of which a message shows only the first few. */
function quoteNames(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => `"${cut(name)}"`);
  const more = names.length - shown.length;
  return more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${more} more`;
}

/** An error answer in plain data. */
export interface ChatError {
  readonly status: number;
  readonly message: string;
  readonly type: string;
  readonly code: string | null;
  /** The path of the wrong request field. */
  readonly param: string | null;
  /** More keys of the error, sent unchanged. */
  readonly extra?: object | undefined;
  readonly headers?: ReplyHeaders;
  /** The source of this answer, for the log and the journal. Default: the error's code, else its type. */
  readonly answeredBy?: string | Answerer;
  /** Nothing in the fixtures answers the request. */
  readonly isMiss?: true;
  /** The setting of Backlot that would let the request in. Follows the message if the profile guides. */
  readonly advice?: string;
  /** The message in the service's own words, for a profile that does not guide. Default: `message`. */
  readonly inService?: string;
}

/** The type and code that services usually send with a status. */
export function usualKind(status: number): Pick<ChatError, "type" | "code"> {
  if (status === 429) return { type: "requests", code: "rate_limit_exceeded" };
  return { type: status >= 500 ? "server_error" : "invalid_request_error", code: null };
}

/**
 * The service's message for a status, for scripts and planned faults without a message. Clients tell errors apart by
 * these words.
 */
export function usualMessage(
  status: number,
  { model, waitMs }: { readonly model?: string; readonly waitMs?: number | undefined } = {},
): string {
  switch (status) {
    case 401:
      return "Incorrect API key provided.";
    case 404:
      return `The model \`${cut(model ?? "unknown")}\` does not exist or you do not have access to it.`;
    case 429: {
      const wait = waitMs === undefined ? "" : ` Please try again in ${duration(waitMs)}.`;
      if (model === undefined) return `Rate limit reached for requests.${wait}`;
      return `Rate limit reached for ${cut(model)} in organization ${organization} on ${perMinute.requests}: Limit 500, Used 500, Requested 1.${wait}`;
    }
    case 503:
      return "The engine is currently overloaded, please try again later.";
    default:
      return status >= 500
        ? "The server had an error while processing your request. Please retry."
        : "Your request was refused.";
  }
}

/** Tells SDKs not to retry, whatever the status. */
const noRetry: ReplyHeaders = { "x-should-retry": "false" };

type Details = Partial<Omit<ChatError, "status" | "message">>;

function invalidRequest(status: number, message: string, details: Details = {}): ChatError {
  return { status, message, type: "invalid_request_error", code: null, param: null, ...details };
}

function unreadable(problem: string, details: Details = {}): ChatError {
  return invalidRequest(400, `Cannot read the request: ${problem}`, details);
}

/** The error for a wrong argument. `inService` is the message in the service's own words. */
function badField(
  param: string,
  code: string | null,
  problem: string,
  inService: string,
): ChatError {
  return unreadable(problem, { param, code, inService });
}

type TooLong = Omit<Extract<Issue, { kind: "long" }>, "kind">;

/** The codes for a text, an array or an object that is too long. */
const lengthCodes: Readonly<Record<TooLong["of"], string>> = {
  characters: "string_above_max_length",
  items: "array_above_max_length",
  properties: "object_above_max_properties",
};

/** Tokens of a request that do not fit a model's context. */
interface TokenCounts {
  /** The size of the model's context. */
  readonly limit: number;
  readonly prompt: number;
  readonly completion: number;
  /** The argument that has the prompt. */
  readonly param: string;
}

const needNoKeys = "start with --no-auth (in code: auth: false)";

/** Every error of the chat interface, except those of scripts. */
export const chatErrors = {
  noKey: (): ChatError =>
    invalidRequest(
      401,
      "Cannot answer without an API key: the request has no usable Authorization header. " +
        'Send "Authorization: Bearer YOUR_KEY".',
      {
        advice: `Or ${needNoKeys}.`,
        inService:
          "You didn't provide an API key. Send it in an Authorization header as Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
      },
    ),
  /** Clients often confuse the key with the token of the tables. */
  wrongKey: (key: string, isTablesToken: boolean = false): ChatError =>
    invalidRequest(401, `Incorrect API key provided: ${maskKey(key)}.`, {
      code: "invalid_api_key",
      advice: `${isTablesToken ? "It is the token of the tables, but chat has keys of its own. " : ""}Add it to "apiKeys" (config.json), or ${needNoKeys}. Without "apiKeys" any key is accepted.`,
    }),
  /** `elsewhere` says where the rows are that the path seems to mean. */
  rowsElsewhere: (method: string, path: string, elsewhere: string): ChatError =>
    invalidRequest(
      404,
      `Cannot answer ${method} ${cut(path)}: there is no such path. ${elsewhere}`,
      {
        code: "unknown_url",
        isMiss: true,
      },
    ),
  unknownPath: (method: string, path: string, valid: readonly string[], root = ""): ChatError =>
    invalidRequest(
      404,
      `Cannot answer ${method} ${cut(path)}: there is no such path. Use ${valid.join(", ")}.` +
        nearestPath(path, valid, root),
      { code: "unknown_url", isMiss: true },
    ),
  /** For a path that only another profile answers. */
  otherProfile: (method: string, path: string, instead: string): ChatError =>
    invalidRequest(
      404,
      `Cannot answer ${method} ${cut(path)}: the documented service has no such path. ` +
        `${instead === "" ? "Start" : `${instead} Or start`} with --chat-profile openai (in code: profiles: ` +
        '{ chat: "openai" }), which has it, or replay a recording of it (docs/recording.md).',
      { code: "unknown_url", isMiss: true },
    ),
  notEmulated: (method: string, path: string, what: string): ChatError =>
    invalidRequest(
      404,
      `Cannot answer ${method} ${cut(path)}: Backlot does not emulate ${what}. A recording can answer it: ` +
        "record it once from the service, as docs/recording.md shows.",
      { code: "unknown_url", isMiss: true },
    ),
  wrongMethod: (method: string, path: string, allowed: readonly string[]): ChatError =>
    invalidRequest(
      405,
      `Cannot answer ${method} ${cut(path)}: only ${allowed.join(" and ")} can be used there.`,
      { code: "method_not_supported", headers: { allow: [...allowed, "OPTIONS"].join(", ") } },
    ),
  unsupportedMediaType: (type: string): ChatError =>
    invalidRequest(
      415,
      `Cannot read the request: its content type is ${showValue(type)}. Send "application/json".`,
      { code: "unsupported_media_type" },
    ),
  bodyTooLarge: (limit: number): ChatError =>
    invalidRequest(413, `Cannot read the request: its body has more than ${limit} bytes.`, {
      code: "request_too_large",
    }),
  bodyCutShort: (): ChatError => unreadable("the client went away before its body was complete."),
  notJson: (problem: string): ChatError =>
    unreadable(
      `its body is not JSON (${cut(problem)}). Send one JSON object with ` +
        '"content-type: application/json"; most HTTP libraries have an option for that.',
      { inService: `We could not parse the JSON body of your request (${cut(problem)}).` },
    ),
  notAnObject: (body: unknown): ChatError =>
    unreadable(`its body must be a JSON object, but it is ${showValue(body)}.`, {
      code: "invalid_type",
    }),
  noModel: (): ChatError =>
    unreadable('it names no model. Set the parameter "model".', {
      inService: "you must provide a model parameter",
    }),
  missing: (param: string): ChatError =>
    badField(
      param,
      "missing_required_parameter",
      `the parameter "${param}" is missing.`,
      serviceWords.missing(param),
    ),
  unknownArguments: (names: readonly string[], known: Iterable<string>): ChatError =>
    unreadable(`there is no argument ${quoteNames(names)}.${didYouMean(names[0] ?? "", known)}`, {
      inService: serviceWords.unknownArguments(names),
    }),
  unknownParameter: (param: string, name: string, known: Iterable<string>): ChatError =>
    badField(
      param,
      "unknown_parameter",
      `there is no parameter "${param}".${didYouMean(name, known)}`,
      `Unknown parameter: '${param}'.`,
    ),
  wrongType: (param: string, expected: string, value: unknown): ChatError =>
    badField(
      param,
      "invalid_type",
      `"${param}" must be ${expected}, but it is ${showTyped(value)}.`,
      serviceWords.wrongType(param, expected, value),
    ),
  wrongValue: (param: string, value: unknown, supported: readonly string[]): ChatError =>
    badField(
      param,
      "invalid_value",
      `"${param}" is ${showValue(value)}, but it must be one of ${supported.join(", ")}.` +
        (typeof value === "string" ? didYouMean(value, supported) : ""),
      serviceWords.wrongValue(value, supported),
    ),
  wrongForm: (param: string, value: string, expected: string, pattern: string): ChatError =>
    badField(
      param,
      "invalid_value",
      `"${param}" is ${showValue(value)}, but it must be ${expected}.`,
      serviceWords.wrongForm(param, pattern),
    ),
  outOfRange: (param: string, value: number, bounds: Bounds): ChatError =>
    badField(
      param,
      rangeCode(value, bounds),
      `"${param}" is ${value}, but it must be ${describeBounds(bounds)}.`,
      serviceWords.outOfRange(param, value, bounds),
    ),
  tooLong: (param: string, { of, length, most }: TooLong): ChatError =>
    badField(
      param,
      lengthCodes[of],
      `"${param}" has ${length} ${of}, but it can have at most ${most}.`,
      serviceWords.tooLong(param, { of, length, most }),
    ),
  emptyArray: (param: string): ChatError =>
    badField(
      param,
      "empty_array",
      `"${param}" is empty, but it needs at least one item.`,
      `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    ),
  /** For an argument that needs a list, such as `tools`, which the request lacks. */
  onlyWithList: (param: string, list: string): ChatError =>
    badField(
      param,
      null,
      `"${param}" works only together with "${list}".`,
      `Invalid value for '${param}': '${param}' is only allowed when '${list}' are specified.`,
    ),
  /** For an argument that needs another one to be true. */
  onlyEnabled: (param: string, needed: string): ChatError =>
    badField(
      param,
      null,
      `"${param}" works only together with "${needed}": true.`,
      `The '${param}' parameter is only allowed when '${needed}' is enabled.`,
    ),
  notOffered: (param: string, name: string, offered: readonly string[], list: string): ChatError =>
    badField(
      param,
      null,
      `"${param}" names ${showValue(name)}, which is not offered. There is ${quoteNames(offered)}.`,
      `Invalid value for '${param}': no function named '${cut(name)}' was specified in the '${list}' parameter.`,
    ),
  toolMessageWithoutCall: (index: number): ChatError =>
    badField(
      `messages.[${index}].role`,
      null,
      `message ${index} has the role "tool", but it answers no call: it must follow an ` +
        'assistant message whose "tool_calls" have its "tool_call_id".',
      // The service misspells the word, and clients may look for it.
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    ),
  toolCallsWithoutMessages: (index: number, ids: readonly string[]): ChatError =>
    badField(
      `messages.[${index}].role`,
      null,
      'an assistant message with "tool_calls" must be followed by one message with the role "tool" for each ' +
        `"tool_call_id". There is none for ${quoteNames(ids)}.`,
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
        `The following tool_call_ids did not have response messages: ${ids.map(cut).join(", ")}`,
    ),
  unknownModel: (id: string, known: readonly string[]): ChatError =>
    invalidRequest(
      404,
      `Cannot answer: the model \`${cut(id)}\` does not exist or you do not have access to it.` +
        (didYouMean(id, known) || " GET /models lists those that exist."),
      {
        code: "model_not_found",
        isMiss: true,
        inService: `The model \`${cut(id)}\` does not exist or you do not have access to it.`,
        advice:
          'Add it to "models" (models.json), or accept any name with "chat": {"unknownModels": "accept"}.',
      },
    ),
  notAChatModel: (id: string, chatModels: readonly string[]): ChatError =>
    invalidRequest(
      404,
      `Cannot answer: \`${cut(id)}\` is not a chat model. Use one of these: ` +
        `${chatModels.slice(0, 10).join(", ") || "there is none in the fixtures"}.`,
      {
        code: "model_not_supported",
        param: "model",
        inService:
          "This is not a chat model and thus not supported in the v1/chat/completions endpoint.",
      },
    ),
  contextLengthExceeded: ({ limit, prompt, completion, param }: TokenCounts): ChatError =>
    invalidRequest(
      400,
      // LangChain recognises this error by the words "maximum context length".
      `This model's maximum context length is ${limit} tokens. However, ` +
        (completion === 0
          ? `your messages resulted in ${prompt} tokens. Please reduce the length of the messages.`
          : `you requested ${prompt + completion} tokens (${prompt} in the messages, ${completion} in the ` +
            "completion). Please reduce the length of the messages or completion."),
      { code: "context_length_exceeded", param },
    ),
  rateLimited: (reached: ReachedLimit): ChatError => ({
    status: 429,
    message: describeLimit(reached),
    type: reached.kind,
    code: "rate_limit_exceeded",
    param: null,
    headers: isWorthWaiting(reached) ? retryAfter(Math.max(1, reached.waitMs)) : noRetry,
  }),
  overCapacity: ({ status = 429, retryAfterMs, running, waiting }: LoadRefusal): ChatError => ({
    status,
    message:
      `The service is at its capacity: ${counted(running, "chat")} running, ${waiting} waiting. ` +
      (retryAfterMs === undefined ? "Try again later." : `Try again in ${retryAfterMs / 1000} s.`),
    ...usualKind(status),
    param: null,
    ...(retryAfterMs === undefined ? {} : { headers: retryAfter(retryAfterMs) }),
    answeredBy: `load: ${running} running, ${waiting} waiting`,
  }),
  noScriptMatched: (problem: string, answeredBy: Answerer | undefined): ChatError =>
    invalidRequest(404, `Cannot answer: no script matches the request. ${problem}`, {
      code: "no_script_matched",
      headers: noRetry,
      isMiss: true,
      ...(answeredBy === undefined ? {} : { answeredBy }),
    }),
  notRecorded: (problem: string): ChatError =>
    invalidRequest(404, problem, { code: "not_recorded", headers: noRetry }),
  answerTooLarge: (characters: number, limit: number): ChatError =>
    invalidRequest(
      400,
      `Cannot answer: all choices together would have ${characters} characters; the limit is ${limit}. ` +
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

/**
 * An error in the envelope that chat clients expect, which always has four keys. Its message is Backlot's, with advice,
 * if the profile guides, and else the service's.
 */
export function errorReply(
  error: ChatError,
  { guides }: { readonly guides: boolean } = { guides: false },
): Reply {
  const { status, type, param, code, extra, headers, answeredBy, isMiss } = error;
  const message = guides ? guiding(error) : (error.inService ?? error.message);
  const reply = jsonReply(status, { error: { message, type, param, code, ...extra } }, headers);
  return { ...reply, answeredBy: answeredBy ?? code ?? type, isMiss };
}

function guiding({ message, advice }: ChatError): string {
  return advice === undefined ? message : `${message} ${advice}`;
}
