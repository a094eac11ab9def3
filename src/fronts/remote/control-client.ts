import { noBacklotAnswers, serverUnreachable } from "../../core/errors/no-server.ts";
import {
  EmulatorError,
  type EmulatorErrorCode,
  invalidOption,
  type Problem,
  problemsError,
} from "../../core/errors/emulator-error.ts";
import { copyAsJson } from "../../core/fixture-set/json/json-copy.ts";
import { asObject, parseJson } from "../../core/schema/json.ts";
import { Findings, problemAtPath } from "../../core/schema/schema.ts";

/** A request to a running server's control API. */
export interface RemoteRequest {
  /** Default: `GET`. */
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  /** The path below `/__backlot`. */
  readonly path: string;
  readonly body?: unknown;
  /** The code of the error for a mistake in the body. Default: `ERR_OPTION_INVALID`. */
  readonly mistake?: EmulatorErrorCode;
  /** The code of a refusal that counts as success. The answer is then null. */
  readonly unless?: string;
  /** If true, the answer is the body as a stream, which may be longer than a string can be. */
  readonly asStream?: true;
}

/**
 * Calls the control API of one session. `what` describes the task in messages, such as `read the journal`. Resolves
 * with the parsed answer, undefined if it is empty. The caller knows the answer's type.
 */
export type AskControl = <Answer = void>(what: string, question: RemoteRequest) => Promise<Answer>;

/** Advice for each way in which a server fails to answer. */
export interface ControlAdvice {
  /** What to do if nothing answers. */
  readonly start: string;
  /** What to do if another kind of server answers. */
  readonly name: string;
  /** What to do if the control token is wrong or missing. Default: the server's message. */
  readonly token?: string;
}

/**
 * Sends a request as the global `fetch` does. In a page this is that `fetch`; Node needs its own way past proxies.
 */
export type Send = (input: Request | string, init?: RequestInit) => Promise<Response>;

/** How the control API is reached. */
export interface ControlAccess {
  /** The server's URL, with `/@<id>` for a session; without a trailing slash. */
  readonly url: string;
  readonly controlToken: string | undefined;
  /** Default: advice for code. */
  readonly advice?: ControlAdvice;
  readonly send: Send;
  /** How long to wait for an answer, in milliseconds. Default: for ever. */
  readonly timeoutMs?: number;
}

const forCode: ControlAdvice = {
  start: "Start it with backlot start, or connect to the URL of a running one.",
  name: "Give the URL of its server.",
};

/** The control API's codes for mistakes of the caller. All other codes concern the address. */
const codes: ReadonlyMap<unknown, EmulatorErrorCode> = new Map([
  ["unknown_table", "ERR_TABLE_UNKNOWN"],
  ["rows_refused", "ERR_ROW_REFUSED"],
  ["script_refused", "ERR_SCRIPT_REFUSED"],
  ["unknown_script", "ERR_SCRIPT_REFUSED"],
  ["fault_refused", "ERR_FAULT_REFUSED"],
  ["unknown_fault", "ERR_FAULT_REFUSED"],
]);

/** An error of the control API. */
interface ControlError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly problems?: readonly Problem[];
}

/**
 * Makes a client of the control API. It rejects with an `EmulatorError` when a request is refused or nobody answers.
 */
export function controlClient(access: ControlAccess): AskControl {
  const { url, controlToken, advice = forCode, send, timeoutMs } = access;
  const headers = {
    "content-type": "application/json",
    ...(controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` }),
  };
  return async <Answer>(
    what: string,
    { method = "GET", path, body, asStream, ...question }: RemoteRequest,
  ) => {
    const { unless, mistake = "ERR_OPTION_INVALID" } = question;
    const given = body === undefined ? undefined : givenAsJson(body, { code: mistake, what });
    const sent = given === undefined ? {} : { body: JSON.stringify(given) };
    const init = {
      method,
      headers,
      redirect: "manual",
      signal: timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs),
      ...sent,
    } as const;
    const { status, text, stream } = await send(`${url}/__backlot${path}`, init)
      .then(async (response) => {
        const isStream = asStream === true && response.ok;
        const whole = isStream ? "" : await response.text();
        return { status: response.status, text: whole, stream: isStream ? response.body : null };
      })
      .catch((cause: unknown) => {
        throw serverUnreachable({ what, url, advice: advice.start }, cause);
      });
    if (stream !== null) return stream as Answer;
    const answer = parseJson(text);
    // The caller knows the type of a route's answer.
    if (status < 300 && (answer !== undefined || text === "")) return answer as Answer;
    const error = errorIn(answer);
    if (unless !== undefined && error.code === unless) return null as Answer;
    if (typeof error.message !== "string") {
      throw noBacklotAnswers({ what, url, advice: advice.name }, status);
    }
    throw refusal(what, error.message, { ...error, advice });
  };
}

function refusal(
  what: string,
  message: string,
  { code, problems = [], advice }: ControlError & { readonly advice: ControlAdvice },
): EmulatorError {
  const isToken = code === "wrong_token" && advice.token !== undefined;
  const problem = isToken
    ? `the server refuses it (403). ${advice.token}`
    : `the server answers: ${message}`;
  const words = `Cannot ${what}: `;
  const whole = message.startsWith(words) ? message : words + problem;
  return new EmulatorError(codes.get(code) ?? "ERR_OPTION_INVALID", whole, { problems });
}

function errorIn(answer: unknown): ControlError {
  return asObject(asObject(answer)?.["error"]) ?? {};
}

/** A name as one segment of a path. Throws `ERR_OPTION_INVALID` for a name that no URL can have there. */
export function nameInPath(name: string): string {
  // Clients resolve the dots as folders, and a lone surrogate cannot be encoded.
  const isImpossibleInUrl = name === "" || name === "." || name === ".." || /\p{Cs}/u.test(name);
  if (!isImpossibleInUrl) return encodeURIComponent(name);
  throw invalidOption(
    `Cannot ask a server for ${JSON.stringify(name)}: a URL cannot contain that name. Use another one.`,
  );
}

/**
 * Converts a value to JSON for a server: dates become text, undefined is left out. Throws an `EmulatorError` with the
 * path of each value that JSON would drop or change, such as a function or NaN.
 */
function givenAsJson(
  value: unknown,
  { code, what }: { readonly code: EmulatorErrorCode; readonly what: string },
): unknown {
  const findings = new Findings();
  const copied = copyAsJson(value, findings);
  if (findings.none) return copied;
  const problems = findings.list.map(problemAtPath);
  throw problemsError(code, what, { problems, more: findings.more });
}
