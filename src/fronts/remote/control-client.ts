import { givenAsJson } from "../../core/emulator/given-json.ts";
import { noBacklotAnswers, nothingAnswers } from "../../core/errors/no-server.ts";
import {
  EmulatorError,
  type EmulatorErrorCode,
  type Problem,
} from "../../core/errors/emulator-error.ts";

/** What the control API of a running server is asked. */
export interface ControlQuestion {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/__backlot`. */
  readonly path: string;
  readonly body?: unknown;
  /** What a mistake in the body is called. Default `ERR_OPTION_INVALID`. */
  readonly mistake?: EmulatorErrorCode;
  /** What is to be done, for messages: `read the table "users"`. */
  readonly what: string;
  /** The code of a refusal that is none: the answer is null then. */
  readonly unless?: string;
}

/** Asks the control API of one session. Resolves with the parsed answer, undefined where it is empty. */
export type AskControl = (question: ControlQuestion) => Promise<unknown>;

/** How the control API is reached. */
export interface ControlAccess {
  /** The server's URL, with `/@<id>` of a session; without a trailing slash. */
  readonly url: string;
  readonly controlToken: string | undefined;
}

const json = { "content-type": "application/json" };

/** The codes of the control API that are mistakes of the caller; all others are those of the address. */
const codes: ReadonlyMap<string, EmulatorErrorCode> = new Map([
  ["unknown_table", "ERR_TABLE_UNKNOWN"],
  ["rows_refused", "ERR_ROW_REFUSED"],
  ["script_refused", "ERR_SCRIPT_REFUSED"],
  ["unknown_script", "ERR_SCRIPT_REFUSED"],
  ["fault_refused", "ERR_FAULT_REFUSED"],
  ["unknown_fault", "ERR_FAULT_REFUSED"],
]);

/** Makes what asks the control API. It rejects with an `EmulatorError` when it is refused or when nobody answers. */
export function controlClient({ url, controlToken }: ControlAccess): AskControl {
  const authorization =
    controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` };
  return async ({ method, path, body, mistake: code = "ERR_OPTION_INVALID", what, unless }) => {
    const init = { method, headers: { ...authorization, ...json }, redirect: "manual" } as const;
    const given = body === undefined ? undefined : givenAsJson(body, { code, what });
    const sent = given === undefined ? init : { ...init, body: JSON.stringify(given) };
    const answer = await fetch(`${url}/__backlot${path}`, sent)
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch((cause: unknown) => {
        throw nothingAnswers({ what, url, advice }, cause);
      });
    const value = parse(answer.text);
    if (answer.status < 300 && value !== notJson) return value;
    if (unless !== undefined && codeOf(value) === unless) return null;
    throw refusal(what, value, { url, status: answer.status });
  };
}

const advice = "Start it with backlot start, or connect to the URL of one that runs.";

const notJson: unique symbol = Symbol("not JSON");

function parse(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return notJson;
  }
}

function refusal(
  what: string,
  answer: unknown,
  { url, status }: { readonly url: string; readonly status: number },
): EmulatorError {
  const error = propertyOf(answer, "error");
  const message = propertyOf(error, "message");
  if (typeof message !== "string") {
    return noBacklotAnswers({ what, url, advice: "Give the URL of its server." }, status);
  }
  const problems = problemsOf(error);
  return failure(what, `the server answers: ${message}`, {
    code: codes.get(codeOf(answer)),
    problems,
  });
}

function problemsOf(error: unknown): readonly Problem[] {
  const problems = propertyOf(error, "problems");
  // What the control API answers; it is our own.
  return Array.isArray(problems) ? (problems as readonly Problem[]) : [];
}

function codeOf(answer: unknown): string {
  return String(propertyOf(propertyOf(answer, "error"), "code"));
}

function propertyOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function failure(
  what: string,
  problem: string,
  { code, ...options }: FailureParts = {},
): EmulatorError {
  return new EmulatorError(code ?? "ERR_OPTION_INVALID", `Cannot ${what}: ${problem}`, options);
}

interface FailureParts {
  readonly code?: EmulatorErrorCode | undefined;
  readonly cause?: unknown;
  readonly problems?: readonly Problem[];
}

/** A name as one segment of a path. Throws `ERR_OPTION_INVALID` for one that no URL can have there. */
export function nameInPath(name: string): string {
  // Clients take the dots for folders, and half a character has no bytes.
  const isUnsayable = name === "" || name === "." || name === ".." || /\p{Cs}/u.test(name);
  if (!isUnsayable) return encodeURIComponent(name);
  throw new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot ask a server for ${JSON.stringify(name)}: no URL can have that name. Use another one.`,
  );
}
