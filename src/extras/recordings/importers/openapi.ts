import { EmulatorError } from "../../../core/errors/emulator-error.ts";
import { decodedPart } from "../../../core/http/url-parts.ts";
import {
  type JsonObject,
  type JsonPath,
  type JsonValue,
  asObject,
  isObject,
} from "../../../core/schema/json.ts";
import type { JsonRow } from "../../../core/store/value.ts";
import { type Imported, createRemarks } from "./imported.ts";
import { findReferences } from "./json-server.ts";
import { type KnownColumn, validRows, tableFiles } from "./table-files.ts";

interface TableDraft {
  readonly name: string;
  readonly path: JsonPath;
  readonly rows: JsonRow[];
  readonly columns: Map<string, KnownColumn>;
}

/** The tables of an OpenAPI document: of each path that lists something the examples, as rows. */
export function importOpenApi(given: JsonObject): Imported {
  refuseOldForms(given);
  const { list, tell } = createRemarks();
  const document = new OpenApiDocument(given);
  const drafts = new Map<string, TableDraft>();
  for (const [path, item] of Object.entries(asObject(given["paths"]) ?? {})) {
    const place = ["paths", path];
    const read = readPath(path, item, { document, tell: (message) => tell(place, message) });
    if (read === undefined) continue;
    const { name, rows, rowSchema } = read;
    const draft = drafts.get(name) ?? { name, path: place, rows: [], columns: new Map() };
    drafts.set(name, draft);
    addRows(draft.rows, rows);
    for (const [column, property] of Object.entries(document.propertiesOf(rowSchema))) {
      if (column === "" || draft.columns.has(column)) continue;
      draft.columns.set(column, columnOf(document.resolve(property) ?? {}));
    }
  }
  const tables = [...drafts.values()].map((table) => validRows(table, tell));
  return { files: tableFiles(tables, findReferences(tables, tell), tell), remarks: list };
}

function refuseOldForms({ swagger }: JsonObject): void {
  if (swagger === undefined) return;
  throw new EmulatorError(
    "ERR_FIXTURES_UNREADABLE",
    `Cannot import the document: it is of Swagger ${JSON.stringify(swagger)}, and only OpenAPI 3 can be read. Convert it first, for example at https://converter.swagger.io.`,
  );
}

/** What GET of a path shows of a table; undefined, and told, where it shows nothing. */
function readPath(
  path: string,
  item: unknown,
  {
    document,
    tell,
  }: { readonly document: OpenApiDocument; readonly tell: (message: string) => void },
): { name: string; rows: readonly JsonRow[]; rowSchema: unknown } | undefined {
  const get = document.resolve(document.resolve(item)?.["get"]);
  if (get === undefined) return undefined;
  const segments = path.split("/").filter((segment) => segment !== "");
  const isOne = /^\{.*\}$/.test(segments.at(-1) ?? "");
  const name = segments.findLast((segment) => !segment.startsWith("{"));
  const media = mediaOf(get, document);
  if (media === undefined || name === undefined) {
    tell("left out: GET has no JSON answer with a status of 2xx");
    return undefined;
  }
  const rowSchema = rowSchemaOf(media["schema"], isOne, document);
  const rows = document.examplesOf(media).flatMap((value) => rowsIn(value, isOne, tell));
  if (rowSchema !== undefined || rows.length > 0) return { name, rows, rowSchema };
  tell("left out: it has no example with objects that could be rows");
  return undefined;
}

function mediaOf(operation: JsonObject, document: OpenApiDocument): JsonObject | undefined {
  const responses = asObject(operation["responses"]) ?? {};
  const status = Object.keys(responses).find((key) => key.startsWith("2")) ?? "default";
  const content = asObject(document.resolve(responses[status])?.["content"]) ?? {};
  const type = Object.keys(content).find((key) => /^[^;]*\bjson\b/.test(key));
  return type === undefined ? undefined : document.resolve(content[type]);
}

/** The schema of a row: of what is listed, or of the one object; also within an envelope such as `data`. */
function rowSchemaOf(given: unknown, isOne: boolean, document: OpenApiDocument): unknown {
  const { items } = document.resolve(given) ?? {};
  if (items !== undefined) return items;
  const properties = Object.values(document.propertiesOf(given));
  if (isOne) return properties.length > 0 ? given : undefined;
  const lists = properties.flatMap((property) => document.resolve(property)?.["items"] ?? []);
  return lists.length === 1 ? lists[0] : undefined;
}

/** The objects of an example: of a list, or of the only list in an envelope. */
function rowsIn(
  value: unknown,
  isOne: boolean,
  tell: (message: string) => void,
): readonly JsonRow[] {
  if (Array.isArray(value)) return value.filter(isObject) as JsonRow[];
  if (!isObject(value)) return [];
  if (isOne) return [value as JsonRow];
  const [only, ...others] = Object.entries(value).filter(
    ([, item]) => Array.isArray(item) && item.every(isObject),
  );
  if (only === undefined || others.length > 0) return [];
  const [key, rows] = only;
  tell(`the rows are those in ${JSON.stringify(key)} of the example; its other keys were left out`);
  return rows as JsonRow[];
}

/** A list and a path of one row often show the same example. */
function addRows(rows: JsonRow[], added: readonly JsonRow[]): void {
  const known = new Set(rows.map((row) => JSON.stringify(row)));
  rows.push(...added.filter((row) => !known.has(JSON.stringify(row))));
}

const types: ReadonlyMap<unknown, string> = new Map([
  ["integer", "INTEGER"],
  ["number", "REAL"],
  ["string", "TEXT"],
  ["boolean", "BOOLEAN"],
  ["object", "JSON"],
  ["array", "JSON"],
]);

function columnOf({ type: given, default: usual }: JsonObject): KnownColumn {
  // OpenAPI 3.1 has lists of types, of which one may be null.
  const [name, ...others] = [given].flat().filter((one) => one !== "null");
  const type = others.length === 0 ? types.get(name) : undefined;
  return {
    ...(type === undefined ? {} : { type }),
    ...((usual ?? null) === null ? {} : { default: usual as JsonValue }),
  };
}

/** So many references from one to the next are followed. */
const mostReferences = 20;

/** So deep are schemas looked into for examples: many refer to themselves. */
const deepest = 8;

/** Follows references within a document, and finds examples in it. */
class OpenApiDocument {
  readonly #root: JsonObject;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** What a part of the document is, references followed. Undefined: they lead nowhere, or out of the document. */
  resolve(value: unknown, followed = 0): JsonObject | undefined {
    const found = asObject(value);
    const { $ref } = found ?? {};
    if (typeof $ref !== "string") return found;
    if (!$ref.startsWith("#/") || followed > mostReferences) return undefined;
    let target: unknown = this.#root;
    for (const step of $ref.slice(2).split("/")) {
      const key = (decodedPart(step) ?? step).replaceAll("~1", "/").replaceAll("~0", "~");
      const holder: object = typeof target === "object" && target !== null ? target : {};
      target = Object.hasOwn(holder, key) ? (holder as JsonObject)[key] : undefined;
    }
    return this.resolve(target, followed + 1);
  }

  /** The properties of a schema, with those of its parts. */
  propertiesOf(given: unknown, depth = 0): JsonObject {
    const { properties, allOf } = this.resolve(given) ?? {};
    if (depth > deepest || !Array.isArray(allOf)) return asObject(properties) ?? {};
    const parts = allOf.map((part) => this.propertiesOf(part, depth + 1));
    return joined([...parts, asObject(properties) ?? {}]);
  }

  /** The examples of a media type: its own, else the one of its schema. */
  examplesOf({ example, examples, schema }: JsonObject): readonly unknown[] {
    const named = Object.values(asObject(examples) ?? {}).map(
      (item) => this.resolve(item)?.["value"],
    );
    const own = [example, ...named].filter((value) => value !== undefined);
    return own.length > 0 ? own : [this.#exampleOf(schema, 0)];
  }

  /** The example of a schema, else one made of those of its parts; undefined where there is none. */
  #exampleOf(given: unknown, depth: number): unknown {
    const schema = this.resolve(given);
    if (schema === undefined || depth > deepest) return undefined;
    const { example, examples, default: usual, items, allOf, properties } = schema;
    const own = example ?? (Array.isArray(examples) ? examples[0] : undefined) ?? usual;
    if (own !== undefined) return own;
    if (items !== undefined) {
      const item = this.#exampleOf(items, depth + 1);
      return item === undefined ? undefined : [item];
    }
    const entries = Object.entries(asObject(properties) ?? {}).flatMap(([name, property]) => {
      const value = this.#exampleOf(property, depth + 1);
      return value === undefined ? [] : [[name, value] as const];
    });
    const parts = (Array.isArray(allOf) ? allOf : [])
      .map((part) => this.#exampleOf(part, depth + 1))
      .filter(isObject);
    if (entries.length > 0) parts.push(Object.fromEntries(entries));
    return parts.length === 0 ? undefined : joined(parts);
  }
}

/** Of a name that several have the last counts. */
function joined(objects: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(objects.flatMap((object) => Object.entries(object)));
}
