import { asObject, parseJson } from "../../../core/schema/json.ts";

/** Why a request failed. The message of the control API has all problems, each on a line. */
export interface Failure {
  /** 0: there was no answer. */
  readonly status: number;
  readonly message: string;
  readonly code?: string;
  readonly hint?: string;
}

/** Reads an error reply, in the envelope of any interface. */
export function readFailure(status: number, text: string): Failure {
  const body = asObject(parseJson(text)) ?? {};
  const { error = body } = body;
  const { message, code, hint } = asObject(error) ?? { ...body, message: error };
  return {
    status,
    message: typeof message === "string" ? message : text || `Status ${status}.`,
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof hint === "string" ? { hint } : {}),
  };
}

/** The failure of a request that was not answered. */
export function unansweredFailure(error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  return { status: 0, message: `No answer: ${reason}.`.replace("..", ".") };
}
