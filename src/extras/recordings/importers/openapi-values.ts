import { makeValue } from "../../../core/json-schema/make-value.ts";
import { asObject, isObject, type JsonObject, type JsonValue } from "../../../core/schema/json.ts";
import type { OpenApiDocument } from "./openapi-document.ts";
import { whyUnusable } from "./usable-values.ts";

/** The deepest level of schemas that is read for one value. */
const deepest = 6;

/** The most parts of a schema that are read for one value. */
const mostParts = 300;

/** The keywords of a schema that contain no other schemas. */
const plainKeys: readonly string[] = [
  "type",
  "const",
  "enum",
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "example",
  "default",
];

/**
 * A value that fits a schema, the same in each run, with the required and the simple properties. Undefined: none fits.
 */
export function valueOfSchema(given: unknown, document: OpenApiDocument): JsonValue | undefined {
  const schema = smallSchema(given, { document, left: mostParts }, 0);
  const { value, misfit } = makeValue(schema, countingRandom());
  return misfit === undefined && whyUnusable(value) === undefined ? value : undefined;
}

/** Evenly spread numbers from 0 to 1 that are the same in each run. */
function countingRandom(): () => number {
  let count = 0;
  return () => {
    count++;
    return (count * 0.618_033_988_749) % 1;
  };
}

interface SmallContext {
  readonly document: OpenApiDocument;
  left: number;
}

/** A schema without references, reduced to its required and its simple properties. */
function smallSchema(given: unknown, context: SmallContext, depth: number): JsonObject {
  const schema = context.document.resolve(given);
  if (schema === undefined || depth > deepest || context.left-- <= 0) return {};
  const inner = (part: unknown): JsonObject => smallSchema(part, context, depth + 1);
  const { items, additionalProperties, allOf, oneOf, anyOf, not } = schema;
  const small: Record<string, unknown> = {};
  for (const key of plainKeys) {
    const value = schema[key];
    if (value !== undefined && whyUnusable(value) === undefined) small[key] = value;
  }
  Object.assign(small, smallProperties(schema, context, inner));
  if (items !== undefined) small["items"] = inner(items);
  if (not !== undefined) small["not"] = inner(not);
  if (additionalProperties === false) small["additionalProperties"] = false;
  else if (isObject(additionalProperties))
    small["additionalProperties"] = inner(additionalProperties);
  if (Array.isArray(allOf)) small["allOf"] = allOf.map(inner);
  const choice = [oneOf, anyOf].find((list) => Array.isArray(list)) as unknown[] | undefined;
  const chosen = choice?.find((one) => context.document.resolve(one)?.["type"] !== "null");
  if (chosen !== undefined) small["anyOf"] = [inner(chosen)];
  return small;
}

function smallProperties(
  { properties, required }: JsonObject,
  { document }: SmallContext,
  inner: (part: unknown) => JsonObject,
): JsonObject {
  const needed = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  const all = Object.entries(asObject(properties) ?? {}).map(
    ([name, property]) => [name, property, document.resolve(property) ?? {}] as const,
  );
  const hidden = new Set(
    all.filter(([, , { writeOnly }]) => writeOnly === true).map(([name]) => name),
  );
  const kept = all.filter(
    ([name, , { type }]) => !hidden.has(name) && (needed.includes(name) || isSimple(type)),
  );
  return {
    ...(kept.length === 0
      ? {}
      : { properties: Object.fromEntries(kept.map(([name, part]) => [name, inner(part)])) }),
    ...(needed.length === 0 ? {} : { required: needed.filter((name) => !hidden.has(name)) }),
  };
}

function isSimple(type: unknown): boolean {
  return typeof type === "string" && /^(?:string|integer|number|boolean)$/.test(type);
}
