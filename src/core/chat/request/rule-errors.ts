import { cut } from "../../errors/show.ts";
import type { ChatError } from "../errors.ts";
import type { RequestForm } from "./chat-request.ts";

/** An error for a request that only the service refuses, in the service's own words. */
function refused(param: string, code: string | null, message: string): ChatError {
  return { status: 400, message, type: "invalid_request_error", param, code };
}

/** A parameter that a model does not take. */
interface Unsupported {
  /** The parameter to use in its place. */
  readonly instead?: string;
  readonly code?: string | null;
}

/** The errors of the rules that only the service has. */
export const ruleErrors = {
  bothLimits: (): ChatError =>
    refused(
      "max_tokens",
      "invalid_parameter_combination",
      "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
    ),
  badFunctionSchema: (param: string, name: string, problem: string): ChatError =>
    refused(
      param,
      "invalid_function_parameters",
      `Invalid schema for function '${cut(name)}': ${problem}`,
    ),
  badAnswerSchema: (
    { param, code }: { readonly param: string; readonly code: string | null },
    name: string,
    problem: string,
  ): ChatError =>
    refused(param, code, `Invalid schema for response_format '${cut(name)}': ${problem}`),
  noWordJson: (form: RequestForm): ChatError =>
    form === "completions"
      ? refused(
          "messages",
          null,
          "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
        )
      : refused(
          "text.format",
          null,
          "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
        ),
  unsupportedParameter: (
    param: string,
    { instead, code = "unsupported_parameter" }: Unsupported = {},
  ): ChatError =>
    refused(
      param,
      code,
      `Unsupported parameter: '${param}' is not supported with this model.` +
        (instead === undefined ? "" : ` Use '${instead}' instead.`),
    ),
  unsupportedValue: (param: string, value: unknown, usual: number): ChatError =>
    refused(
      param,
      "unsupported_value",
      `Unsupported value: '${param}' does not support ${String(value)} with this model. Only the default (${usual}) value is supported.`,
    ),
} as const;
