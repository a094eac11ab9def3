import { isObject, type JsonObject } from "../../schema/json.ts";

/** The checks that a schema has to pass besides those for every schema. */
export interface SchemaCheck {
  /** Whether answers must follow the schema, so that it may use only the keywords that the service can enforce. */
  readonly isStrict: boolean;
}

const types: readonly unknown[] = [
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
];

/** The keywords that a strict schema must not have. */
const notPermitted = [
  "allOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentRequired",
  "dependentSchemas",
  "propertyNames",
  "uniqueItems",
] as const;

/** The keys of a schema whose values are objects of further schemas. */
const named = ["properties", "$defs", "definitions"] as const;

/** The keys of a schema whose values are lists of further schemas. */
const listed = ["anyOf", "oneOf", "allOf"] as const;

/**
 * The service's words for a schema that it refuses, of a function's parameters or of an answer's format; undefined if
 * it accepts the schema. Values and paths are written as in Python.
 */
export function schemaProblem(schema: JsonObject, check: SchemaCheck): string | undefined {
  const { type } = schema;
  if (type !== "object") {
    const shown = typeof type === "string" ? type : shownInPython(type);
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${shown}"'.`;
  }
  if (schema["properties"] === undefined) return "In context=(), object schema missing properties.";
  return problemWithin(schema, [], check);
}

function problemWithin(
  schema: unknown,
  path: readonly string[],
  check: SchemaCheck,
): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (!isObject(schema)) return `${shownInPython(schema)} is not of type 'object', 'boolean'.`;
  return (
    malformed(schema) ??
    arrayProblem(schema, path) ??
    (check.isStrict ? strictProblem(schema, path) : undefined) ??
    firstOf(partsOf(schema, path), ([part, place]) => problemWithin(part, place, check))
  );
}

/** What makes a value no JSON Schema at all; undefined if it is one. */
function malformed({ type, required, properties }: JsonObject): string | undefined {
  const wrong = [type].flat().find((one) => one !== undefined && !types.includes(one));
  if (wrong !== undefined) {
    return `${shownInPython(type)} is not valid under any of the given schemas.`;
  }
  if (required !== undefined && !Array.isArray(required)) {
    return `${shownInPython(required)} is not of type 'array'.`;
  }
  if (properties !== undefined && !isObject(properties)) {
    return `${shownInPython(properties)} is not of type 'object'.`;
  }
  return undefined;
}

function arrayProblem({ type, items }: JsonObject, path: readonly string[]): string | undefined {
  if (items !== undefined) return undefined;
  if (type === "array") return `In context=${context(path)}, array schema missing items.`;
  const at = Array.isArray(type) ? type.indexOf("array") : -1;
  if (at === -1) return undefined;
  return `In context=${context([...path, "type", String(at)])}, array schema missing items.`;
}

function strictProblem(schema: JsonObject, path: readonly string[]): string | undefined {
  const forbidden = notPermitted.find((key) => schema[key] !== undefined);
  if (forbidden !== undefined) {
    return `In context=${context(path)}, '${forbidden}' is not permitted.`;
  }
  const { type, additionalProperties: more } = schema;
  if (![type].flat().includes("object")) return undefined;
  if (more !== false) {
    return `In context=${context(path)}, 'additionalProperties' is required to be supplied and to be false.`;
  }
  return requiredProblem(schema, path);
}

function requiredProblem(
  { required, properties }: JsonObject,
  path: readonly string[],
): string | undefined {
  const keys = isObject(properties) ? Object.keys(properties) : [];
  const given: readonly unknown[] = Array.isArray(required) ? required : [];
  const missing = keys.find((key) => !given.includes(key));
  if (missing !== undefined) {
    return `In context=${context(path)}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
  }
  const extra = given.find((key) => typeof key !== "string" || !keys.includes(key));
  return extra === undefined
    ? undefined
    : `In context=${context(path)}, 'required' is required to be supplied and to be an array including every key in properties. Extra required key ${shownInPython(extra)} supplied.`;
}

/** A schema within another, and its path. */
type Part = readonly [schema: unknown, path: readonly string[]];

function partsOf(schema: JsonObject, path: readonly string[]): readonly Part[] {
  const { items } = schema;
  return [
    ...named.flatMap((key): Part[] => {
      const group = schema[key];
      if (!isObject(group)) return [];
      return Object.entries(group).map(([name, part]) => [part, [...path, key, name]]);
    }),
    ...(items === undefined ? [] : [[items, [...path, "items"]] as const]),
    ...listed.flatMap((key): Part[] => {
      const group = schema[key];
      if (!Array.isArray(group)) return [];
      return group.map((part: unknown, at) => [part, [...path, key, String(at)]]);
    }),
  ];
}

function firstOf<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function context(path: readonly string[]): string {
  const quoted = path.map((step) => `'${step}'`);
  return quoted.length === 1 ? `(${quoted.join("")},)` : `(${quoted.join(", ")})`;
}

function shownInPython(value: unknown): string {
  if (value === undefined || value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return `'${value}'`;
  return JSON.stringify(value);
}
