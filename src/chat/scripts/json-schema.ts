import { type Schema, Validator } from "@cfworker/json-schema";

/**
 * Where a value does not fit a JSON Schema of draft 2020-12, in words that follow "the content"; undefined when it
 * fits. A schema that cannot be used is told of too.
 */
export function findMisfit(value: unknown, schema: unknown): string | undefined {
  if (!isSchema(schema)) return "cannot be judged: the schema is neither an object nor a boolean";
  try {
    const { valid, errors } = new Validator(schema, "2020-12", false).validate(value);
    if (valid) return undefined;
    // Errors that only tell of others within come first.
    const error = errors.findLast(({ keyword }) => !wrappers.has(keyword)) ?? errors.at(-1);
    return `does not fit the schema at ${error?.instanceLocation ?? "#"}: ${withoutStop(error?.error ?? "")}`;
  } catch (error) {
    return `cannot be judged: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Keywords whose error says that something within is wrong. */
const wrappers: ReadonlySet<string> = new Set([
  "properties",
  "items",
  "$ref",
  "allOf",
  "prefixItems",
]);

function isSchema(schema: unknown): schema is Schema | boolean {
  return (
    typeof schema === "boolean" ||
    (typeof schema === "object" && schema !== null && !Array.isArray(schema))
  );
}

function withoutStop(text: string): string {
  return text.endsWith(".") ? text.slice(0, -1) : text;
}
