import { type Bounds, type ChatError, chatErrors } from "./errors.ts";
import { asObject, isPresent } from "./read.ts";

/** Says what is wrong with a field's value, or nothing. It is not asked about fields that are absent or null. */
export type FieldCheck = (value: unknown, path: string) => ChatError | undefined;

/** A number within bounds. */
export function numberField(bounds: Bounds): FieldCheck {
  return (value, path) => {
    const expected = bounds.kind === "integer" ? "a whole number" : "a number";
    if (typeof value !== "number") return chatErrors.wrongType(path, expected, value);
    const { kind, least, greatest = Infinity } = bounds;
    if (kind === "integer" && !Number.isInteger(value)) {
      return chatErrors.wrongType(path, expected, value);
    }
    return value < least || value > greatest
      ? chatErrors.outOfRange(path, value, bounds)
      : undefined;
  };
}

/** The same as `check`, or a boolean. */
export function orBoolean(check: FieldCheck): FieldCheck {
  return (value, path) => (typeof value === "boolean" ? undefined : check(value, path));
}

/** Functions only, as the interface has it. */
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
  const { name } = definition;
  if (!isPresent(name) || name === "") return chatErrors.missing(`${path}.function.name`);
  return typeof name === "string"
    ? undefined
    : chatErrors.wrongType(`${path}.function.name`, "a string", name);
}

/** `stream_options`, of which `include_usage` is the part that matters. */
export function streamOptionsField(value: unknown, path: string): ChatError | undefined {
  const options = asObject(value);
  if (options === undefined) return chatErrors.wrongType(path, "an object", value);
  const includeUsage = options["include_usage"];
  return !isPresent(includeUsage) || typeof includeUsage === "boolean"
    ? undefined
    : chatErrors.wrongType(`${path}.include_usage`, "true or false", includeUsage);
}
