import type { StandardSchema } from "./standard-schema.ts";

/** A node of a JSON Schema, as far as it matters here. */
export interface JsonSchemaNode {
  /** Of the values that fit; empty when it does not tell. */
  readonly types: readonly string[];
  readonly properties: readonly (readonly [name: string, JsonSchemaNode])[];
  readonly additionalProperties: unknown;
  /** Schemas of which one, or all, must fit. */
  readonly branches: readonly JsonSchemaNode[];
  readonly reference: string | undefined;
  readonly definitions: ReadonlyMap<string, JsonSchemaNode>;
}

/**
 * The JSON Schema of what a schema takes or makes, by the Standard JSON Schema interface. Undefined when it has
 * none, or cannot put itself that way.
 */
export function jsonSchemaOf(
  schema: StandardSchema,
  side: "input" | "output",
): JsonSchemaNode | undefined {
  const { jsonSchema } = schema["~standard"];
  if (!isObject(jsonSchema) || typeof jsonSchema[side] !== "function") return undefined;
  try {
    const options = {
      target: "draft-2020-12",
      // Zod's: a date is anything, instead of an exception.
      libraryOptions: { unrepresentable: "any" },
    };
    return readNode(Reflect.apply(jsonSchema[side], jsonSchema, [options]));
  } catch {
    return undefined;
  }
}

function readNode(value: unknown): JsonSchemaNode {
  const node = isObject(value) ? value : {};
  const properties = isObject(node["properties"]) ? Object.entries(node["properties"]) : [];
  const definitions = isObject(node["$defs"]) ? Object.entries(node["$defs"]) : [];
  const { $ref: reference } = node;
  return {
    types: readTypes(node),
    properties: properties.map(([name, part]) => [name, readNode(part)]),
    additionalProperties: node["additionalProperties"],
    branches: ["anyOf", "oneOf", "allOf"].flatMap((key) => {
      const branches: unknown = node[key];
      return Array.isArray(branches) ? branches.map(readNode) : [];
    }),
    reference: typeof reference === "string" ? reference : undefined,
    definitions: new Map(definitions.map(([name, part]) => [`#/$defs/${name}`, readNode(part)])),
  };
}

function readTypes(node: Readonly<Record<string, unknown>>): readonly string[] {
  const { type, enum: members } = node;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.map(String);
  const values: unknown = Object.hasOwn(node, "const") ? [node["const"]] : members;
  return Array.isArray(values) ? values.map(jsonType) : [];
}

function jsonType(value: unknown): string {
  if (value === null) return "null";
  return typeof value === "object" ? "object" : typeof value;
}

/** The node that a reference within the schema leads to; the node itself where it is none. */
export function resolve(node: JsonSchemaNode, root: JsonSchemaNode): JsonSchemaNode {
  let resolved = node;
  // Definitions that only refer to each other lead nowhere.
  for (let steps = 0; resolved.reference !== undefined && steps < 10; steps++) {
    const { reference } = resolved;
    const target = reference === "#" ? root : root.definitions.get(reference);
    if (target === undefined) return resolved;
    resolved = target;
  }
  return resolved;
}

/** A node that speaks for itself, and the nodes that it joins. */
export function partsOf(
  node: JsonSchemaNode,
  root: JsonSchemaNode,
  depth = 0,
): readonly JsonSchemaNode[] {
  const resolved = resolve(node, root);
  if (resolved.branches.length === 0 || depth > 10) return [resolved];
  const speaks = resolved.types.length > 0 || resolved.properties.length > 0;
  const joined = resolved.branches.flatMap((branch) => partsOf(branch, root, depth + 1));
  return speaks ? [resolved, ...joined] : joined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
