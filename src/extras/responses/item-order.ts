import type { ChatError } from "../../core/chat/errors.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import { responsesErrors } from "./errors.ts";

/** The beginnings of ids by the type of their items. */
const prefixes: Readonly<Record<string, string>> = {
  message: "msg",
  function_call: "fc",
  custom_tool_call: "ctc",
  reasoning: "rs",
};

const callTypes: readonly unknown[] = ["function_call", "custom_tool_call"];
const outputTypes: readonly unknown[] = ["function_call_output", "custom_tool_call_output"];

/** The error for the first item that does not fit the others, or whose id has the prefix of another type. */
export function refuseItems(items: readonly JsonObject[]): ChatError | undefined {
  return refuseIds(items) ?? refuseCalls(items);
}

function refuseIds(items: readonly JsonObject[]): ChatError | undefined {
  const seen = new Set<string>();
  for (const [index, { type, id }] of items.entries()) {
    if (typeof id !== "string" || id === "") continue;
    const prefix = typeof type === "string" ? prefixes[type] : undefined;
    if (prefix !== undefined && !id.startsWith(prefix)) {
      return responsesErrors.wrongIdPrefix(`input[${index}].id`, id, prefix);
    }
    if (seen.has(id)) return responsesErrors.duplicateItem(id);
    seen.add(id);
  }
  return undefined;
}

/** Refuses an output without its call before it, and a call without its output after it. */
function refuseCalls(items: readonly JsonObject[]): ChatError | undefined {
  const open = new Set<string>();
  const known = new Set<string>();
  for (const { type, call_id: callId } of items) {
    if (typeof callId !== "string") continue;
    if (callTypes.includes(type)) {
      open.add(callId);
      known.add(callId);
    } else if (outputTypes.includes(type)) {
      if (!known.has(callId)) return responsesErrors.outputWithoutCall(callId);
      open.delete(callId);
    }
  }
  const [unanswered] = open;
  return unanswered === undefined ? undefined : responsesErrors.callWithoutOutput(unanswered);
}
