import { type Result, failed, ok } from "../../core/errors/result.ts";
import { isObject } from "../../core/schema/json.ts";
import { type Column, plainColumn } from "../../core/store/schema.ts";

/** The parts of a `Collection` of `@msw/data` that are used here. The collection checks its own input by its schema. */
export interface LiveCollection {
  /** The array of the collection's records, in the order of creation. */
  readonly all: () => object[];
  readonly create: (values: object) => Promise<object>;
  readonly update: (
    record: object,
    options: { readonly data: (draft: object) => void },
  ) => Promise<object | undefined>;
  readonly delete: (record: object) => unknown;
}

/** A collection and its schema. */
export interface CollectionSource {
  readonly collection: LiveCollection;
  readonly schema: StandardSchema;
}

/** Recognises a collection by its methods; undefined for anything else. */
export function collectionSource(value: unknown): CollectionSource | undefined {
  if (!isLiveCollection(value)) return undefined;
  // The property is private in TypeScript, but only it has the schema.
  const schema = partOf(partOf(value, "options"), "schema");
  return isStandardSchema(schema) ? { collection: value, schema } : undefined;
}

const methods = ["all", "create", "update", "delete"];

function isLiveCollection(value: unknown): value is LiveCollection {
  if (!isPart(value)) return false;
  if (methods.some((name) => typeof partOf(value, name) !== "function")) return false;
  const all = partOf(value, "all");
  if (typeof all !== "function") return false;
  const records: unknown = Reflect.apply(all, value, []);
  // A snapshot is restored into this array, so it must be the collection's own, not a copy.
  return Array.isArray(records) && records === Reflect.apply(all, value, []);
}

/** A problem of a record, and its place in the record. */
export interface SchemaIssue {
  readonly message: string;
  /** Property names and array positions, from the record down. */
  readonly path: readonly string[];
}

/** A schema of any library that follows Standard Schema (https://standardschema.dev). */
export interface StandardSchema {
  readonly "~standard": {
    readonly validate: (value: unknown) => unknown;
    /** Describes the schema as JSON Schema. Only newer libraries have this. */
    readonly jsonSchema?: unknown;
  };
}

function isStandardSchema(value: unknown): value is StandardSchema {
  return typeof partOf(partOf(value, "~standard"), "validate") === "function";
}

/** A property of a value; undefined if the value has no properties. */
function partOf(value: unknown, name: string): unknown {
  return isPart(value) ? Reflect.get(value, name) : undefined;
}

/** Whether a value can have properties. The schemas of some libraries are functions. */
function isPart(value: unknown): value is object {
  return typeof value === "function" || (typeof value === "object" && value !== null);
}

/** The record that a schema makes of its input, or all problems of that input. */
export type Validation = Result<object, readonly SchemaIssue[]>;

/** Validates a record by a schema. */
export async function validateRecord(schema: StandardSchema, record: object): Promise<Validation> {
  const result: unknown = await schema["~standard"].validate(record);
  const issues = partOf(result, "issues");
  if (Array.isArray(issues)) return failed(issues.map(readIssue));
  const value = partOf(result, "value");
  if (isPart(value)) return ok(value);
  return failed([{ message: "The schema does not return an object.", path: [] }]);
}

function readIssue(issue: unknown): SchemaIssue {
  const message = isPart(issue) ? partOf(issue, "message") : issue;
  const path = partOf(issue, "path");
  return { message: String(message), path: Array.isArray(path) ? path.map(segmentName) : [] };
}

/** The name of a path's segment, which is a key or an object with a key. */
function segmentName(segment: unknown): string {
  return String(isPart(segment) ? partOf(segment, "key") : segment);
}

/** What a schema says about its records. */
export interface DescribedColumns {
  readonly columns: readonly Column[];
  /** Whether records have no other properties. */
  readonly isClosed: boolean;
}

/** The columns of a schema that describes itself as JSON Schema. Other schemas give none. */
export function describedColumns(schema: StandardSchema): DescribedColumns {
  const parts = partsOf(jsonSchemaOf(schema));
  const types = new Map<string, readonly string[]>();
  for (const { properties } of parts) {
    for (const [name, node] of isObject(properties) ? Object.entries(properties) : []) {
      types.set(name, [...(types.get(name) ?? []), ...typesOf(node)]);
    }
  }
  return {
    columns: [...types].map(([name, all]) => plainColumn(name, columnType(all))),
    isClosed: parts.length > 0 && parts.every((part) => part["additionalProperties"] === false),
  };
}

function jsonSchemaOf(schema: StandardSchema): unknown {
  const { jsonSchema } = schema["~standard"];
  if (!isObject(jsonSchema) || typeof jsonSchema["output"] !== "function") return undefined;
  // With this option of Zod, a date counts as any value instead of throwing.
  const options = { target: "draft-2020-12", libraryOptions: { unrepresentable: "any" } };
  try {
    return Reflect.apply(jsonSchema["output"], jsonSchema, [options]);
  } catch {
    return undefined;
  }
}

type JsonSchemaNode = Readonly<Record<string, unknown>>;

/** The members of a union or an intersection, else the node itself. */
function partsOf(node: unknown): readonly JsonSchemaNode[] {
  if (!isObject(node)) return [];
  const branches = ["anyOf", "oneOf", "allOf"].flatMap((key) => {
    const members: unknown = node[key];
    return Array.isArray(members) ? members.flatMap(partsOf) : [];
  });
  return branches.length === 0 ? [node] : branches;
}

/** The possible JSON types of a value; `any` if unknown. */
function typesOf(node: unknown): readonly string[] {
  return partsOf(node).flatMap((part) => {
    const { type = [] } = part;
    const types = Array.isArray(type) ? type.map(String) : [String(type)];
    if (types.length > 0) return types;
    const values: unknown = Object.hasOwn(part, "const") ? [part["const"]] : part["enum"];
    return Array.isArray(values)
      ? values.map((one: unknown) => (one === null ? "null" : typeof one))
      : ["any"];
  });
}

const columnTypes: Readonly<Record<string, string>> = {
  integer: "INTEGER",
  // NUMERIC, so that whole numbers in such a column read as sent: `5`, not `5.0`.
  number: "NUMERIC",
  string: "TEXT",
  boolean: "BOOLEAN",
  object: "JSON",
  array: "JSON",
};

function columnType(types: readonly string[]): string {
  const named = types.filter((type) => type !== "null").map((type) => columnTypes[type] ?? "ANY");
  const kinds = new Set(named);
  if (kinds.has("NUMERIC")) kinds.delete("INTEGER");
  const [sole = "ANY", ...others] = kinds;
  return others.length === 0 ? sole : "ANY";
}
