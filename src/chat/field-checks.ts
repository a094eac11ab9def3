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

/** True or false. */
export function booleanField(value: unknown, path: string): ChatError | undefined {
  return typeof value === "boolean"
    ? undefined
    : chatErrors.wrongType(path, "true or false", value);
}

const mostStops = 4;

/** `stop`: a text, or one to four of them. */
export function stopField(value: unknown, path: string): ChatError | undefined {
  if (typeof value === "string") return undefined;
  if (!Array.isArray(value)) {
    return chatErrors.wrongType(path, "a string or an array of strings", value);
  }
  if (value.length === 0) return chatErrors.emptyArray(path);
  if (value.length > mostStops) return chatErrors.arrayTooLong(path, value.length, mostStops);
  const wrong = value.findIndex((item) => typeof item !== "string");
  return wrong === -1
    ? undefined
    : chatErrors.wrongType(`${path}[${wrong}]`, "a string", value[wrong]);
}

const responseFormats = ["text", "json_object", "json_schema"];

/** `response_format`, of which the type is looked at. */
export function responseFormatField(value: unknown, path: string): ChatError | undefined {
  const format = asObject(value);
  if (format === undefined) return chatErrors.wrongType(path, "an object", value);
  const { type } = format;
  if (!isPresent(type)) return chatErrors.missing(`${path}.type`);
  return typeof type === "string" && responseFormats.includes(type)
    ? undefined
    : chatErrors.wrongValue(`${path}.type`, type, responseFormats);
}

/** `stream_options`, of which `include_usage` is the part that matters. */
export function streamOptionsField(value: unknown, path: string): ChatError | undefined {
  const options = asObject(value);
  if (options === undefined) return chatErrors.wrongType(path, "an object", value);
  const includeUsage = options["include_usage"];
  return isPresent(includeUsage) ? booleanField(includeUsage, `${path}.include_usage`) : undefined;
}
