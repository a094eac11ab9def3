import { type Column, inferColumns, plainColumn } from "../../core/store/schema.ts";
import { type StorageRules, strictStorage } from "../../core/store/storage-rules.ts";
import { type TableLayout, tableLayout } from "../../core/store/table-layout.ts";
import {
  type CollectionSource,
  type JsonSchemaNode,
  type StandardSchema,
  jsonSchemaOf,
  partsOf,
  resolve,
} from "./collection.ts";
import { columnsOf, recordCell, relationsOf } from "./records.ts";

/** What the user says of the table that a collection is served as. */
export interface TableDeclaration {
  readonly name: string;
  /** Undefined: `id` where there is such a column. */
  readonly primaryKey: readonly string[] | undefined;
  /** Undefined: what the collection's schema tells, else what its records have. */
  readonly columns: readonly Column[] | undefined;
  /** How values compare, and how those of keys and of declared columns are converted. Default: strictly. */
  readonly storage?: StorageRules;
}

/** What the rows of a collection look like at one moment. */
export interface TableShape {
  readonly layout: TableLayout;
  /** The columns that were seen somewhere, and not only named as the key. Empty: nothing is known yet. */
  readonly seen: readonly string[];
  /** Whether the columns were declared, so that values must fit them and not only the collection's schema. */
  readonly isDeclared: boolean;
  /** Whether a row may be given a column of this name; undefined where only the collection's schema knows. */
  readonly takes: (name: string) => boolean | undefined;
}

/** Tells the shape as it is now: without declared columns it may change with the records. */
export function shapeReader(
  source: CollectionSource,
  declaration: TableDeclaration,
): () => TableShape {
  const { columns } = declaration;
  if (columns !== undefined) {
    const shape = declaredShape(declaration, columns);
    return () => shape;
  }
  const described = describedColumns(source.schema);
  return described?.isClosed === true
    ? describedShapes(source, { declaration, described })
    : () => inferredShape(source, { declaration, described });
}

function declaredShape(
  { name, primaryKey, storage = strictStorage }: TableDeclaration,
  columns: readonly Column[],
): TableShape {
  const schema = { name, columns, primaryKey: primaryKey ?? usualKey(columns) };
  const layout = tableLayout(schema, storage);
  const seen = layout.columnNames;
  return { layout, seen, isDeclared: true, takes: (column) => seen.includes(column) };
}

/** Which columns are relations is known by the records only. The layout is made anew when that changes. */
function describedShapes(
  source: CollectionSource,
  options: { readonly declaration: TableDeclaration; readonly described: DescribedColumns },
): () => TableShape {
  const { declaration, described } = options;
  let known = "";
  let shape: TableShape | undefined;
  return () => {
    const relations = relationNames(source);
    const now = JSON.stringify(relations);
    if (shape !== undefined && now === known) return shape;
    known = now;
    const columns = described.columns.filter(({ name }) => !relations.includes(name));
    const layout = foundLayout(declaration, columns);
    const takes = (name: string): boolean =>
      layout.columnNames.includes(name) || described.inputOnly.has(name);
    const seen = columns.map((column) => column.name);
    return (shape = { layout, seen, isDeclared: false, takes });
  };
}

/** What the schema tells, and columns and types of all records, as of a fixture table without columns. */
function inferredShape(
  source: CollectionSource,
  options: {
    readonly declaration: TableDeclaration;
    readonly described: DescribedColumns | undefined;
  },
): TableShape {
  const relations = relationNames(source);
  const told = (options.described?.columns ?? []).filter(({ name }) => !relations.includes(name));
  const names = new Set(told.map(({ name }) => name));
  const found = inferColumns(source.collection.all().map(typicalRow));
  const columns = [...told, ...found.filter(({ name }) => !names.has(name))];
  const layout = foundLayout(options.declaration, columns);
  const takes = (name: string): boolean | undefined => {
    if (layout.columnNames.includes(name)) return true;
    return relations.includes(name) ? false : undefined;
  };
  return { layout, seen: columns.map((column) => column.name), isDeclared: false, takes };
}

function relationNames({ collection }: CollectionSource): readonly unknown[] {
  const [first] = collection.all();
  return first === undefined ? [] : [...(relationsOf(first)?.keys() ?? [])];
}

/** A row of which only the types of the values count. */
function typicalRow(record: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    columnsOf(record).map((name) => {
      const isBigInteger = typeof Reflect.get(record, name) === "bigint";
      return [name, isBigInteger ? 0 : recordCell(record, name)];
    }),
  );
}

function foundLayout(
  { name, primaryKey, storage = strictStorage }: TableDeclaration,
  found: readonly Column[],
): TableLayout {
  const key = primaryKey ?? usualKey(found);
  const unseen = key.filter((part) => found.every((column) => column.name !== part));
  const columns = [...unseen.map((part) => plainColumn(part, "ANY")), ...found];
  const schema = {
    name,
    columns: columns.map((column) => withKeyType(column, key)),
    primaryKey: key,
  };
  return tableLayout(schema, storage);
}

function usualKey(columns: readonly Column[]): readonly string[] {
  return columns.some(({ name }) => name === "id") ? ["id"] : [];
}

/** A key of numbers counts as one of whole numbers, as most are, so that it is generated when left out. */
function withKeyType(column: Column, key: readonly string[]): Column {
  const isSoleKey = key.length === 1 && key[0] === column.name;
  return isSoleKey && column.type === "NUMERIC" ? { ...column, type: "INTEGER" } : column;
}

/** What a schema tells of the records that it makes. */
interface DescribedColumns {
  readonly columns: readonly Column[];
  /** Names that may be given and are no columns: a transform makes others of them. */
  readonly inputOnly: ReadonlySet<string>;
  /** Whether records have no other properties. */
  readonly isClosed: boolean;
}

/** The columns of a schema that describes itself as JSON Schema; undefined of one that does not. */
function describedColumns(schema: StandardSchema): DescribedColumns | undefined {
  const input = jsonSchemaOf(schema, "input");
  const output = jsonSchemaOf(schema, "output");
  if (input === undefined || output === undefined) return undefined;
  const taken = propertiesOf(input);
  const made = propertiesOf(output);
  // What a transform of the whole record makes is not told: most likely what it takes, and more.
  if (made.size === 0)
    return { columns: schemaColumns(taken, input), inputOnly: noNames, isClosed: false };
  return {
    columns: schemaColumns(made, output),
    inputOnly: new Set([...taken.keys()].filter((name) => !made.has(name))),
    isClosed: partsOf(output, output).every((part) => part.additionalProperties === false),
  };
}

const noNames: ReadonlySet<string> = new Set();

type Properties = ReadonlyMap<string, readonly JsonSchemaNode[]>;

function schemaColumns(properties: Properties, root: JsonSchemaNode): readonly Column[] {
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
