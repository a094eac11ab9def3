import { type Schema, Validator } from "@cfworker/json-schema";
import { didYouMean } from "../../errors/nearest-name.ts";
import { asObject, type JsonObject } from "../../schema/json.ts";
import { showValue } from "../../errors/show.ts";

/** Why a text is not what a form asks for. */
export interface Misfit {
  /** What is to blame: the text, or the schema, by which nothing can be judged. */
  readonly blames: "content" | "schema";
  /** In words that follow "the content" or "the schema". */
  readonly problem: string;
}

/**
 * Where a value does not fit a JSON Schema of draft 2020-12; undefined when it fits. A schema that cannot be used is
 * told of too.
 */
export function findMisfit(value: unknown, schema: unknown): Misfit | undefined {
  if (!isSchema(schema)) return blameSchema("is neither an object nor a boolean");
  const wrongType = unknownType(schema);
  if (wrongType !== undefined) return blameSchema(wrongType);
  try {
    const { valid, errors } = new Validator(schema, "2020-12", false).validate(value);
    if (valid) return undefined;
    // Errors that only tell of others within come first.
    const error = errors.findLast(({ keyword }) => !wrappers.has(keyword)) ?? errors.at(-1);
    const place = error?.instanceLocation ?? "#";
    const problem = `does not fit the schema at ${place}: ${withoutStop(error?.error ?? "")}`;
    return { blames: "content", problem };
  } catch (error) {
    return blameSchema(`cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function blameSchema(problem: string): Misfit {
  return { blames: "schema", problem };
}

/** Keywords whose error says that something within is wrong. */
const wrappers: ReadonlySet<string> = new Set([
  "properties",
  "items",
  "$ref",
  "allOf",
  "prefixItems",
]);

/** Keywords that have schemas below them, as far as types are concerned. Others may have anything of their own. */
const schemaKeywords: ReadonlySet<string> = new Set([
  "additionalProperties",
  "allOf",
  "anyOf",
  "contains",
  "$defs",
  "definitions",
  "items",
  "not",
  "oneOf",
  "prefixItems",
  "properties",
]);

const types = ["array", "boolean", "integer", "null", "number", "object", "string"];

/** A `type` that no value is of, which the validator would hold against the value. */
function unknownType(schema: Schema | boolean): string | undefined {
  for (const { type } of schemasIn(schema, (keyword) => schemaKeywords.has(keyword))) {
    if (type === undefined) continue;
    const wrong = [type].flat().find((name) => !types.some((known) => known === name));
    if (wrong === undefined) continue;
    const hint = typeof wrong === "string" ? didYouMean(wrong, types) : "";
    return `has the type ${showValue(wrong)}, which does not exist.${hint}`;
  }
  return undefined;
}

function isSchema(schema: unknown): schema is Schema | boolean {
  return (
    typeof schema === "boolean" ||
    (typeof schema === "object" && schema !== null && !Array.isArray(schema))
  );
}

function withoutStop(text: string): string {
  return text.endsWith(".") ? text.slice(0, -1) : text;
}

/** Keywords whose values are not schemas, whatever they look like. */
const dataKeywords: ReadonlySet<string> = new Set(["enum", "const", "default", "examples"]);
/** Keywords whose values are schemas by names that somebody chose. */
const mapKeywords: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "properties",
  "patternProperties",
  "dependentSchemas",
]);

/** The objects among the schemas that a schema consists of, itself first; below keywords that `isFollowed` holds for. */
function* schemasIn(
  schema: unknown,
  isFollowed: (keyword: string) => boolean = isNoData,
): Generator<JsonObject> {
  const found: unknown[] = [schema];
  // The list grows while it is gone through, so that no depth is too deep.
  for (const next of found) {
    if (Array.isArray(next)) for (const item of next) found.push(item);
    const object = asObject(next);
    if (object === undefined) continue;
    yield object;
    for (const [keyword, value] of Object.entries(object)) {
      if (!isFollowed(keyword)) continue;
      const isMap = mapKeywords.has(keyword) && typeof value === "object" && value !== null;
      for (const part of isMap ? Object.values(value) : [value]) found.push(part);
    }
  }
}

function isNoData(keyword: string): boolean {
  return !dataKeywords.has(keyword);
}

/** Keywords that can take any time: expressions, references, comparisons of all items with all others. */
const slowKeywords: readonly string[] = [
  "pattern",
  "patternProperties",
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
  "uniqueItems",
];

/** Formats whose expressions are known to take no longer than their texts are long. */
const quickFormats: ReadonlySet<unknown> = new Set([
  "date",
  "time",
  "date-time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uri",
  "uri-reference",
  "uuid",
]);

/** So many values of a schema times characters of a text are judged: 40 ms at worst. */
const mostWork = 100_000;

/**
 * Why a schema from somewhere else is not trusted to judge a text of so many characters in little time, in words that
 * follow "the schema"; undefined when it is.
 */
export function whyTooSlow(schema: unknown, characters: number): string | undefined {
  const most = mostWork / Math.max(1, characters);
  if (hasMoreThan(most, schema)) return "is too large for so long a text";
  for (const part of schemasIn(schema)) {
    const slow = slowKeywords.find((keyword) => Object.hasOwn(part, keyword));
    if (slow !== undefined) return `has "${slow}"`;
    const format = part["format"];
    if (format !== undefined && !quickFormats.has(format))
      return 'has a "format" that is not usual';
  }
  return undefined;
}

/** Whether a JSON value consists of more than so many values, which are not counted to the end. */
function hasMoreThan(most: number, value: unknown): boolean {
  const found = [value];
  for (const next of found) {
    if (found.length > most) return true;
    if (typeof next === "object" && next !== null) {
      for (const part of Object.values(next)) found.push(part);
    }
  }
  return false;
}
