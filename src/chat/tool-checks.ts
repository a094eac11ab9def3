import { type ChatError, chatErrors } from "./errors.ts";
import { asObject, isPresent } from "./read.ts";

/** `tools`: functions only, as the interface has it. */
export function toolsField(value: unknown, path: string): ChatError | undefined {
  if (!Array.isArray(value)) return chatErrors.wrongType(path, "an array", value);
  for (const [index, item] of value.entries()) {
    const error = checkTool(item, `${path}[${index}]`);
    if (error !== undefined) return error;
  }
  return undefined;
}

function checkTool(item: unknown, path: string): ChatError | undefined {
  const tool = asObject(item);
  if (tool === undefined) return chatErrors.wrongType(path, "an object", item);
  if (!isPresent(tool["type"])) return chatErrors.missing(`${path}.type`);
  if (tool["type"] !== "function") {
    return chatErrors.wrongValue(`${path}.type`, tool["type"], ["function"]);
  }
  if (!isPresent(tool["function"])) return chatErrors.missing(`${path}.function`);
  const definition = asObject(tool["function"]);
  if (definition === undefined) {
    return chatErrors.wrongType(`${path}.function`, "an object", tool["function"]);
  }
  return checkFunctionName(definition["name"], `${path}.function.name`);
}

const functionName = /^[a-zA-Z0-9_-]{1,64}$/;

function checkFunctionName(name: unknown, path: string): ChatError | undefined {
  if (!isPresent(name) || name === "") return chatErrors.missing(path);
  if (typeof name !== "string") return chatErrors.wrongType(path, "a string", name);
  return functionName.test(name) ? undefined : chatErrors.wrongName(path, name);
}

const toolChoices = ["none", "auto", "required"];

/** `tool_choice`: a word, or an object that names a function. */
export function toolChoiceField(value: unknown, path: string): ChatError | undefined {
  if (typeof value === "string") {
    return toolChoices.includes(value)
      ? undefined
      : chatErrors.wrongValue(path, value, toolChoices);
  }
  return asObject(value) === undefined
    ? chatErrors.wrongType(path, "a string or an object", value)
    : undefined;
}
