import { type Column, plainColumn } from "../../core/store/schema.ts";
import { jsonSchemaOf, type JsonSchemaNode, partsOf, resolve } from "./json-schema.ts";
import type { StandardSchema } from "./standard-schema.ts";

/** What a schema tells of the records that it makes. */
export interface DescribedColumns {
  readonly columns: readonly Column[];
  /** Names that may be given and are no columns: a transform makes others of them. */
  readonly inputOnly: ReadonlySet<string>;
  /** Whether records have no other properties. */
  readonly isClosed: boolean;
}

/** The columns of a schema that describes itself as JSON Schema; undefined of one that does not. */
export function describedColumns(schema: StandardSchema): DescribedColumns | undefined {
  const input = jsonSchemaOf(schema, "input");
  const output = jsonSchemaOf(schema, "output");
  if (input === undefined || output === undefined) return undefined;
  const taken = propertiesOf(input);
  const made = propertiesOf(output);
  // What a transform of the whole record makes is not told: most likely what it takes, and more.
  if (made.size === 0)
    return { columns: columnsOf(taken, input), inputOnly: noNames, isClosed: false };
  return {
    columns: columnsOf(made, output),
    inputOnly: new Set([...taken.keys()].filter((name) => !made.has(name))),
    isClosed: partsOf(output, output).every((part) => part.additionalProperties === false),
  };
}

const noNames: ReadonlySet<string> = new Set();

type Properties = ReadonlyMap<string, readonly JsonSchemaNode[]>;

function columnsOf(properties: Properties, root: JsonSchemaNode): readonly Column[] {
  return [...properties].map(([name, nodes]) => {
    const types = new Set(nodes.flatMap((node) => typesOf(node, root)));
    return plainColumn(name, columnType(types));
  });
}

/** What each property is, in all parts of the schema that have it. */
function propertiesOf(root: JsonSchemaNode): Properties {
  const properties = new Map<string, JsonSchemaNode[]>();
  for (const part of partsOf(root, root)) {
    for (const [name, node] of part.properties) {
      properties.set(name, [...(properties.get(name) ?? []), node]);
    }
  }
  return properties;
}

/** The JSON types that a value can have; `any` where that is not told. */
function typesOf(node: JsonSchemaNode, root: JsonSchemaNode): readonly string[] {
  const parts = partsOf(resolve(node, root), root);
  return parts.flatMap((part) => (part.types.length === 0 ? ["any"] : part.types));
}

const columnTypes: Readonly<Record<string, string>> = {
  integer: "INTEGER",
  // Whole numbers in such a column read as they are sent, `5` and not `5.0`.
  number: "NUMERIC",
  string: "TEXT",
  boolean: "BOOLEAN",
  object: "JSON",
  array: "JSON",
};

function columnType(types: ReadonlySet<string>): string {
  const kinds = new Set(
    [...types].filter((type) => type !== "null").map((type) => columnTypes[type] ?? "ANY"),
  );
  if (kinds.size === 2 && kinds.has("INTEGER") && kinds.has("NUMERIC")) return "NUMERIC";
  const [sole = "ANY", ...others] = kinds;
  return others.length === 0 ? sole : "ANY";
}
