import { type Schema, Validator } from "@cfworker/json-schema";
import { didYouMean } from "../../errors/nearest-name.ts";
import { showValue } from "../../errors/show.ts";
import { schemasIn } from "./schema-work.ts";

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
