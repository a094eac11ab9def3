/** A `Collection` of `@msw/data` as it is used here: its own schema judges what it is given. */
export interface LiveCollection {
  /** The array in which the collection keeps its records, in the order of their making. */
  readonly all: () => object[];
  readonly create: (values: object) => Promise<object>;
  readonly update: (
    record: object,
    options: { readonly data: (draft: object) => void },
  ) => Promise<object | undefined>;
  readonly delete: (record: object) => unknown;
}

/** A collection and the schema that it was made with. */
export interface CollectionSource {
  readonly collection: LiveCollection;
  readonly schema: StandardSchema;
}

/** Recognises a collection by what it can do; undefined for everything else. */
export function collectionSource(value: unknown): CollectionSource | undefined {
  if (!isLiveCollection(value)) return undefined;
  // Declared private in TypeScript, and the only place where the schema is to be had.
  const options: unknown = Reflect.get(value, "options");
  const schema: unknown = isObject(options) ? Reflect.get(options, "schema") : undefined;
  return isStandardSchema(schema) ? { collection: value, schema } : undefined;
}

const methods = ["all", "create", "update", "delete"];

function isLiveCollection(value: unknown): value is LiveCollection {
  if (!isObject(value)) return false;
  if (methods.some((name) => typeof Reflect.get(value, name) !== "function")) return false;
  const all: unknown = Reflect.get(value, "all");
  if (typeof all !== "function") return false;
  const records: unknown = Reflect.apply(all, value, []);
  // Snapshots are put back into this array, so it must be the collection's own and no copy.
  return Array.isArray(records) && records === Reflect.apply(all, value, []);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** What is wrong with a record, and where in it. */
export interface SchemaIssue {
  readonly message: string;
  /** Names of properties and positions in arrays, from the record on. */
  readonly path: readonly string[];
}

/** A record as a schema makes it of what it was given, or everything that is wrong with that. */
export type Validation =
  | { readonly ok: true; readonly value: object }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

/** A schema of any library that speaks Standard Schema (https://standardschema.dev). */
export interface StandardSchema {
  readonly "~standard": {
    readonly validate: (value: unknown) => unknown;
    /** Newer libraries tell what they describe. */
    readonly jsonSchema?: unknown;
  };
}

function isStandardSchema(value: unknown): value is StandardSchema {
  // Some libraries' schemas are functions.
  const standard: unknown = isPart(value) ? Reflect.get(value, "~standard") : undefined;
  return isPart(standard) && typeof Reflect.get(standard, "validate") === "function";
}

function isPart(value: unknown): value is object {
  return typeof value === "function" || (typeof value === "object" && value !== null);
}

/** Has a schema judge a record. */
export async function validateRecord(schema: StandardSchema, record: object): Promise<Validation> {
  const result: unknown = await schema["~standard"].validate(record);
  if (!isPart(result)) return unclear("The schema gave no result.");
  const issues: unknown = Reflect.get(result, "issues");
  if (Array.isArray(issues)) return { ok: false, issues: issues.map(readIssue) };
  const value: unknown = Reflect.get(result, "value");
  return isPart(value) ? { ok: true, value } : unclear("The schema makes no object of it.");
}

function unclear(message: string): Validation {
  return { ok: false, issues: [{ message, path: [] }] };
}

function readIssue(issue: unknown): SchemaIssue {
  if (!isPart(issue)) return { message: String(issue), path: [] };
  const message: unknown = Reflect.get(issue, "message");
  const path: unknown = Reflect.get(issue, "path");
  return {
    message: typeof message === "string" ? message : "It does not fit the schema.",
    path: Array.isArray(path) ? path.map(segmentName) : [],
  };
}

/** A segment is a key, or an object that has one. */
function segmentName(segment: unknown): string {
  return String(isPart(segment) ? Reflect.get(segment, "key") : segment);
}

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
