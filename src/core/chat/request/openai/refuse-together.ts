import { asObject, isPresent, type JsonObject } from "../../../schema/json.ts";
import { type ChatError, chatErrors } from "../../errors.ts";

/** Arguments of which one asks for another, in a body that is of its shape. */
export function refuseTogether(body: JsonObject): ChatError | undefined {
  return refuseAlone(body) ?? refuseToolChoice(body) ?? refuseFunctionCall(body);
}

function refuseAlone(body: JsonObject): ChatError | undefined {
  const { stream_options: options, top_logprobs: top, modalities } = body;
  if (isPresent(options) && body["stream"] !== true) {
    return chatErrors.onlyTogether("stream_options", '"stream": true');
  }
  if (isPresent(top) && body["logprobs"] !== true) {
    return chatErrors.onlyTogether("top_logprobs", '"logprobs": true');
  }
  const isSpoken = Array.isArray(modalities) && modalities.includes("audio");
  return isSpoken && !isPresent(body["audio"]) ? chatErrors.missing("audio") : undefined;
}

function refuseToolChoice(body: JsonObject): ChatError | undefined {
  const { tools, tool_choice: choice } = body;
  if (!Array.isArray(tools)) {
    const alone = ["tool_choice", "parallel_tool_calls"].find((name) => isPresent(body[name]));
    return alone === undefined ? undefined : chatErrors.onlyTogether(alone, '"tools"');
  }
  for (const kind of ["function", "custom"]) {
    const chosen = nameOf(asObject(choice)?.[kind]);
    const offered = tools.map((tool) => nameOf(asObject(tool)?.[kind]) ?? "");
    if (chosen !== undefined && !offered.includes(chosen)) {
      return chatErrors.notOffered("tool_choice", chosen, offered.filter(Boolean));
    }
  }
  return undefined;
}

function refuseFunctionCall(body: JsonObject): ChatError | undefined {
  const { functions, function_call: call } = body;
  if (!isPresent(call)) return undefined;
  if (!Array.isArray(functions)) return chatErrors.onlyTogether("function_call", '"functions"');
  const chosen = nameOf(call);
  const offered = functions.map((item) => nameOf(item) ?? "");
  return chosen === undefined || offered.includes(chosen)
    ? undefined
    : chatErrors.notOffered("function_call", chosen, offered);
}

function nameOf(value: unknown): string | undefined {
  const name = asObject(value)?.["name"];
  return typeof name === "string" ? name : undefined;
}
