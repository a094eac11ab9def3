import { asObject, isObject, parseJson } from "../../../core/schema/json.ts";
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
  const body = asObject(parseJson(text)) ?? {};
  const { error = body } = body;
  const { message, code, hint, problems } = asObject(error) ?? { ...body, message: error };
  return {
    status,
    message: typeof message === "string" ? message : text || `Status ${status}.`,
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof hint === "string" ? { hint } : {}),
    ...(Array.isArray(problems) ? { problems: problems.filter(isProblem) } : {}),
  };
}

/** The failure of a request that was not answered. */
export function unansweredFailure(error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  return { status: 0, message: `No answer: ${reason}.`.replace("..", ".") };
}

function isProblem(value: unknown): value is ReportedProblem {
  return isObject(value) && typeof value["message"] === "string";
}
