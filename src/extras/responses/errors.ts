import type { ChatError } from "../../core/chat/errors.ts";
import { cut, nearestName, showValue } from "../../core/errors/show.ts";

function refused(status: number, message: string, more: Partial<ChatError> = {}): ChatError {
  return { status, message, type: "invalid_request_error", code: null, param: null, ...more };
}

/**
 * An error for an object that is not stored here. It counts as a miss, since a real service or a recording may have the
 * object.
 */
function notHere(status: number, message: string, more: Partial<ChatError> = {}): ChatError {
  return refused(status, message, { isMiss: true, ...more });
}

/** The errors that only Responses have. Codes, parameters and the words that clients look for are the service's. */
export const responsesErrors = {
  messagesMoved: (): ChatError =>
    refused(
      400,
      "Unsupported parameter: 'messages'. In the Responses API, this parameter has moved to 'input'.",
      { code: "unsupported_parameter" },
    ),
  unknownArgument: ([name = ""]: readonly string[], valid: readonly string[]): ChatError => {
    const nearest = nearestName(name, valid);
    const advice = nearest === undefined ? "" : ` Did you mean '${nearest}'?`;
    return refused(400, `Unknown parameter: '${cut(name)}'.${advice}`, {
      code: "unknown_parameter",
      param: name,
    });
  },
  noSuchModel: (name: string): ChatError =>
    refused(400, `Cannot answer: the requested model ${showValue(name)} does not exist.`, {
      code: "model_not_found",
      param: "model",
    }),
  noInput: (): ChatError =>
    refused(
      400,
      'Cannot answer: the input is empty. Give one of "input" or "previous_response_id" with something to answer.',
      { code: "missing_required_parameter" },
    ),
  exclusive: (): ChatError =>
    refused(400, 'Cannot answer: give only one of "previous_response_id" and "conversation".', {
      code: "mutually_exclusive_parameters",
    }),
  noPreviousResponse: (id: string): ChatError =>
    notHere(
      400,
      `Previous response with id '${cut(id)}' not found. Only those with "store": true are kept.`,
      {
        code: "previous_response_not_found",
        param: "previous_response_id",
      },
    ),
  noResponse: (id: string): ChatError =>
    notHere(
      404,
      `Response with id '${cut(id)}' not found. Only those with "store": true are kept.`,
    ),
  noConversation: (id: string): ChatError =>
    notHere(
      404,
      `Conversation with id '${cut(id)}' not found. Backlot keeps no conversations; use "previous_response_id".`,
    ),
  noPrompt: (id: string): ChatError =>
    notHere(
      404,
      `Prompt with id '${cut(id)}' not found. Backlot keeps no prompts; write the text into "instructions".`,
    ),
  noItem: (id: string): ChatError =>
    notHere(
      404,
      `Item with id '${cut(id)}' not found. Only items of answers with "store": true are kept.`,
      { param: "input" },
    ),
  outputWithoutCall: (callId: string): ChatError =>
    refused(400, `No tool call found for function call output with call_id ${cut(callId)}.`, {
      param: "input",
    }),
  callWithoutOutput: (callId: string): ChatError =>
    refused(400, `No tool output found for function call ${cut(callId)}.`, { param: "input" }),
  duplicateItem: (id: string): ChatError =>
    refused(400, `Duplicate item found with id ${cut(id)}. Send each item once.`, {
      param: "input",
    }),
  wrongIdPrefix: (param: string, id: string, prefix: string): ChatError =>
    refused(
      400,
      `Invalid '${param}': ${showValue(id)}. Expected an ID that begins with '${prefix}'.`,
      { code: "invalid_value", param },
    ),
  toolNotOffered: (kind: string): ChatError =>
    refused(400, `Tool choice '${cut(kind)}' not found in 'tools' parameter.`, {
      param: "tool_choice",
    }),
  notInBackground: (): ChatError =>
    notHere(
      400,
      'Cannot answer: Backlot does not emulate background responses. Leave out "background", or replay a recording.',
      { param: "background" },
    ),
  notCancellable: (): ChatError => refused(400, "Cannot cancel a synchronous response."),
} as const;
