import { isObject, parseJson } from "../../../core/schema/json.ts";
/** One of several problems of a request. */
export interface ReportedProblem {
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Why a request failed. */
export interface Failure {
  /** 0: there was no answer. */
  readonly status: number;
  readonly message: string;
  readonly code?: string;
  readonly hint?: string;
  readonly problems?: readonly ReportedProblem[];
}

/** Reads an error reply, in the envelope of any interface. */
export function readFailure(status: number, text: string): Failure {
  const body = parseJson(text);
  if (!isObject(body)) return { status, message: text === "" ? `Status ${status}.` : text };
  const { error } = body;
  if (typeof error === "string") return { status, message: error, ...texts(body) };
  if (!isObject(error)) return { status, message: text };
  const { message, problems } = error;
  return {
    status,
    message: typeof message === "string" ? message : text,
    ...texts(error),
    ...(Array.isArray(problems) ? { problems: problems.filter(isProblem) } : {}),
  };
}

/** The failure of a request that was not answered. */
export function unansweredFailure(error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  return { status: 0, message: `No answer: ${reason}.`.replace("..", ".") };
}

function texts({ code, hint }: Readonly<Record<string, unknown>>): Partial<Failure> {
  return {
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof hint === "string" ? { hint } : {}),
  };
}

function isProblem(value: unknown): value is ReportedProblem {
  return isObject(value) && typeof value["message"] === "string";
}
