import type { JsonSchema } from "../../src/core/schema/schema.ts";
import { code, splitDefault } from "./markdown.ts";

/** A link to where a schema is described, if that is elsewhere. */
export type LinkTo = (schema: JsonSchema) => string | undefined;

/** A key with what its value is. */
export interface KeyRow {
  /** Its path from the value that is described, such as `choices[].content`. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** What holds where it is left out; empty: nothing, or it is not said. */
  readonly standard: string;
  readonly meaning: string;
}

/** The keys of a schema and of all that is within it. A part that comes again refers to where it came first. */
export function keysOf(schema: JsonSchema, linkTo: LinkTo): readonly KeyRow[] {
  return rowsWithin(schema, { linkTo, seen: new Map() }, "");
}

/** The text by which two schemas are the same: all but what their key is for. */
export function sameText(schema: JsonSchema): string {
  return JSON.stringify({ ...schema, description: undefined });
}

interface Walk {
  readonly linkTo: LinkTo;
  /** The paths of values that have keys of their own, by `sameText`. */
  readonly seen: Map<string, string>;
}

function rowsWithin(schema: JsonSchema, walk: Walk, path: string): readonly KeyRow[] {
  const { properties, items, additionalProperties } = schema;
  if (isSchema(properties)) return rowsOfKeys(schema, walk, path);
  if (isSchema(items)) return rowsOf(items, walk, `${path}[]`);
  if (isSchema(additionalProperties)) return rowsOf(additionalProperties, walk, `${path}.<name>`);
  return mergeAlternatives(alternativesOf(schema).map((one) => rowsOf(one, walk, path)));
}

/** What all alternatives together can have. Required is what each of them has that has keys. */
function mergeAlternatives(alternatives: readonly (readonly KeyRow[])[]): readonly KeyRow[] {
  const keyed = alternatives.filter((rows) => rows.length > 0);
  const merged = new Map(keyed.flat().map((row) => [row.path, row]));
  const shortest = Math.min(...[...merged.keys()].map(depthOf));
  return [...merged.values()].map((row) => {
    const isWithin = depthOf(row.path) > shortest;
    const inAll = keyed.every((rows) =>
      rows.some(({ path, isRequired }) => path === row.path && isRequired),
    );
    return { ...row, isRequired: isWithin ? row.isRequired : inAll };
  });
}

function depthOf(path: string): number {
  return path.split(".").length;
}

function rowsOf(schema: JsonSchema, walk: Walk, path: string): readonly KeyRow[] {
  return walk.linkTo(schema) === undefined ? rowsWithin(schema, walk, path) : [];
}

function rowsOfKeys(
  { properties, required }: JsonSchema,
  walk: Walk,
  path: string,
): readonly KeyRow[] {
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(isSchema(properties) ? properties : {}).flatMap(([name, value]) =>
    isSchema(value)
      ? rowsOfKey(value, walk, { path: join(path, name), isRequired: names.includes(name) })
      : [],
  );
}

function rowsOfKey(
  value: JsonSchema,
  walk: Walk,
  { path, isRequired }: Pick<KeyRow, "path" | "isRequired">,
): readonly KeyRow[] {
  const { description } = value;
  const said = splitDefault(typeof description === "string" ? description : "");
  const text = sameText(value);
  const before = walk.seen.get(text);
  if (before !== undefined) return [{ path, isRequired, ...said, type: `as ${code(before)}` }];
  const within = rowsOf(value, walk, path);
  if (within.length > 0) walk.seen.set(text, path);
  return [{ path, isRequired, ...said, type: typeOf(value, walk.linkTo) }, ...within];
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** A few words for what values are. */
export function typeOf(schema: JsonSchema, linkTo: LinkTo): string {
  const link = linkTo(schema);
  if (link !== undefined) return link;
  const { type, enum: options, const: only } = schema;
  if (only !== undefined) return code(JSON.stringify(only));
  if (Array.isArray(options)) return options.map((one) => code(JSON.stringify(one))).join(", ");
  const several = Array.isArray(type)
    ? type.map((one: unknown) => ({ ...schema, type: one }))
    : alternativesOf(schema);
  if (several.length > 0) {
    return [...new Set(several.map((one) => typeOf(one, linkTo)))].join(", or ");
  }
  return plainType(schema, linkTo);
}

function plainType(schema: JsonSchema, linkTo: LinkTo): string {
  const { type, items } = schema;
  if (type === "array") return `array of: ${isSchema(items) ? typeOf(items, linkTo) : "any value"}`;
  if (type === "object") return objectType(schema, linkTo);
  if (type === "number" || type === "integer") return numberType(schema);
  return simpleTypes.get(type) ?? "any value";
}

const simpleTypes: ReadonlyMap<unknown, string> = new Map([
  ["string", "text"],
  ["boolean", "`true`, `false`"],
  ["null", "`null`"],
]);

function objectType({ additionalProperties }: JsonSchema, linkTo: LinkTo): string {
  if (!isSchema(additionalProperties)) return "object";
  const values = typeOf(additionalProperties, linkTo);
  return values === "any value" ? "object" : `object, by name: ${values}`;
}

function numberType({ type, minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const what = type === "integer" ? "whole number" : "number";
  const least = bound(minimum);
  const most = bound(maximum);
  if (least !== "" && most !== "") return `${what}, ${least} to ${most}`;
  if (typeof exclusiveMinimum === "number") return `${what} above ${exclusiveMinimum}`;
  if (most !== "") return `${what}, ${most} or less`;
  return least === "" ? what : `${what}, ${least} or more`;
}

/** What JavaScript can hold is no bound worth a word. */
function bound(value: unknown): string {
  if (typeof value !== "number" || Math.abs(value) === Number.MAX_SAFE_INTEGER) return "";
  return value.toLocaleString("en-US");
}

/** What a value can be. Which keys go together is no alternative. */
function alternativesOf({ properties, anyOf, allOf }: JsonSchema): readonly JsonSchema[] {
  if (properties !== undefined) return [];
  const given = [anyOf, allOf].find((one) => Array.isArray(one)) ?? [];
  return given.filter(isSchema);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
