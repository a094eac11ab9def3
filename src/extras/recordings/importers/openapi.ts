import { EmulatorError } from "../../../core/errors/emulator-error.ts";
import {
  asObject,
  isObject,
  isPresent,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  parseJson,
} from "../../../core/schema/json.ts";
import type { JsonRow } from "../../../core/store/value.ts";
import { createRemarks, type Imported, type Tell } from "./imported.ts";
import { findReferences, tableMeantBy } from "./json-server.ts";
import { OpenApiDocument } from "./openapi-document.ts";
import { keyTemplate, valueTemplate } from "./openapi-templates.ts";
import { type ImportedTable, type KnownColumn, tableFiles, validRows } from "./table-files.ts";

interface TableDraft {
  readonly name: string;
  readonly path: JsonPath;
  readonly rows: JsonRow[];
  /** The schemas of its columns. */
  readonly properties: Map<string, JsonObject>;
  readonly required: Set<string>;
  /** What the paths of single rows have in braces. */
  readonly parameters: Set<string>;
}

/** What the schema of an answer has of a table. */
interface RowPlace {
  readonly schema: unknown;
  /** The members of the answer that lead to the rows. */
  readonly within: readonly string[];
}

/** How many rows a table without examples gets. */
const usualRows = 20;

/** The tables of an OpenAPI document: of each path that lists something, with its examples or made-up rows. */
export function importOpenApi(
  given: JsonObject,
  { rows: count = usualRows }: { readonly rows?: number } = {},
): Imported {
  refuseOldForms(given);
  const { list, tell } = createRemarks();
  const { produces } = given;
  const document = new OpenApiDocument(given);
  const drafts = new Map<string, TableDraft>();
  for (const [path, item] of Object.entries(asObject(given["paths"]) ?? {})) {
    const place = ["paths", path];
    addPath(path, item, { document, drafts, produces, tell: (message) => tell(place, message) });
  }
  const found = [...drafts.values()].map((draft) => ({
    draft,
    table: validRows(tableOf(draft, tell), tell),
  }));
  const tables = found.map(({ table }) => table);
  const references = findReferences(tables, () => undefined);
  const filled = found.map(({ draft, table }) =>
    table.rows.length > 0 ? table : withGenerated(table, draft, { found, count }),
  );
  const all = new Map(
    filled.map(({ name, generate, primaryKey }) => {
      const made = Object.keys(generate?.row ?? {}).flatMap((column) => {
        const target = targetOf(column, found);
        return target === undefined || column === primaryKey
          ? []
          : [[column, `${target.name}.id`] as const];
      });
      return [name, new Map([...(references.get(name) ?? []), ...made])];
    }),
  );
  return { files: tableFiles(filled, all, tell), remarks: list };
}

function refuseOldForms({ swagger }: JsonObject): void {
  const isSecond = swagger === 2 || (typeof swagger === "string" && swagger.startsWith("2"));
  if (swagger === undefined || isSecond) return;
  throw new EmulatorError(
    "ERR_FIXTURES_UNREADABLE",
    `Cannot import the document: it is of Swagger ${JSON.stringify(swagger)}, and only OpenAPI 3 and Swagger 2 can be read. Convert it first, for example at https://converter.swagger.io.`,
  );
}

interface PathContext {
  readonly document: OpenApiDocument;
  readonly drafts: Map<string, TableDraft>;
  /** The types of answers in Swagger 2, unless an operation has its own. */
  readonly produces: unknown;
  readonly tell: (message: string) => void;
}

/** The last part of a path that asks for rows in some way, such as `findByStatus`: its table is the part before. */
const action = /^(?:find|get|search|list|query|lookup|filter|fetch|by)(?=[A-Z_-]|$)/;

/** Adds what GET of a path shows of a table, or tells why it shows nothing. */
function addPath(path: string, item: unknown, context: PathContext): void {
  const { document, produces, tell } = context;
  const get = document.resolve(document.resolve(item)?.["get"]);
  if (get === undefined) return;
  const media = mediaOf({ produces, ...get }, document);
  if (media === undefined) {
    tell("left out: GET has no JSON answer with a status of 2xx");
    return;
  }
  const segments = path.split("/").filter((segment) => segment !== "");
  const parameter = /^\{(.*)\}$/.exec(segments.at(-1) ?? "")?.[1];
  // What follows a parameter is one row, or a list of the parameter's.
  const isOne =
    parameter !== undefined && document.plainSchema(media["schema"])["items"] === undefined;
  const place = isOne ? onePlace(media["schema"], document) : listPlace(media["schema"], document);
  const name = tableName(segments) ?? place?.within.at(-1);
  const rows = document
    .examplesOf(media)
    .flatMap((value) =>
      rowsIn(value, { isOne, place, tell: name === undefined ? () => undefined : tell }),
    );
  if (name === undefined || (place === undefined && rows.length === 0)) {
    const why = rows.length > 0 ? "its path names no table" : whyNone(media, document);
    tell(`left out: ${why}`);
    return;
  }
  const draft = draftOf(name, path, place, context);
  if (isOne) draft.parameters.add(parameter);
  addRows(draft.rows, rows);
}

/** The last part of a path that is no parameter and, if there is another, no action. */
function tableName(segments: readonly string[]): string | undefined {
  const names = segments.filter((segment) => !segment.includes("{"));
  return names.findLast((segment) => !action.test(segment)) ?? names.at(-1);
}

/** The table of that name, with the columns that this path adds. */
function draftOf(
  name: string,
  path: string,
  place: RowPlace | undefined,
  { document, drafts }: PathContext,
): TableDraft {
  const draft: TableDraft = drafts.get(name) ?? {
    name,
    path: ["paths", path],
    rows: [],
    properties: new Map(),
    required: new Set(document.requiredOf(place?.schema)),
    parameters: new Set(),
  };
  drafts.set(name, draft);
  for (const [column, property] of Object.entries(document.propertiesOf(place?.schema))) {
    if (column === "" || draft.properties.has(column)) continue;
    const schema = document.plainSchema(property);
    if (schema["writeOnly"] !== true) draft.properties.set(column, schema);
  }
  return draft;
}

function whyNone(media: JsonObject, document: OpenApiDocument): string {
  const schema = document.plainSchema(media["schema"]);
  if (isRow(schema, document) || document.examplesOf(media).some(isObject)) {
    return "it gives one object, and not a list";
  }
  if (schema["type"] !== undefined) return "it gives no list of objects";
  return "it has no example with objects that could be rows";
}

function mediaOf(operation: JsonObject, document: OpenApiDocument): JsonObject | undefined {
  const responses = asObject(operation["responses"]) ?? {};
  // Without any success the answer by default is that, else an error.
  const status = Object.keys(responses).find((key) => key.startsWith("2")) ?? "default";
  const response = document.resolve(responses[status]) ?? {};
  const content = asObject(response["content"]) ?? contentOfSwagger(response, operation);
  const type = Object.keys(content).find((key) => /^[^;]*\bjson\b|^\*\/\*/.test(key));
  return type === undefined ? undefined : document.resolve(content[type]);
}

/** What OpenAPI 3 calls the content of an answer: Swagger 2 has one schema for all types, and an example for each. */
function contentOfSwagger(
  { schema, examples: given }: JsonObject,
  { produces }: JsonObject,
): JsonObject {
  // Some write examples as the text of their JSON.
  const examples = Object.fromEntries(
    Object.entries(asObject(given) ?? {}).map(([type, example]) => [
      type,
      typeof example === "string" ? (parseJson(example) ?? example) : example,
    ]),
  );
  if (schema === undefined && given === undefined) return {};
  const types = Array.isArray(produces) ? produces.map(String) : ["application/json"];
  return Object.fromEntries(
    [...types, ...Object.keys(examples)].map((type) => [type, { schema, example: examples[type] }]),
  );
}

/** What envelopes call the rows, the surest first. */
const envelopes = [
  "data",
  "items",
  "results",
  "result",
  "values",
  "records",
  "rows",
  "entries",
  "content",
  "list",
  "_embedded",
];

/** Lists beside the rows. */
const notRows =
  /^(?:_?links?|errors?|warnings?|messages?|included|meta|facets|aggregations|sort)$/i;

/** Where a schema has the list of rows: itself, or in an envelope, or in one within. */
function listPlace(given: unknown, document: OpenApiDocument, depth = 0): RowPlace | undefined {
  const { items } = document.plainSchema(given);
  if (items !== undefined)
    return isRow(items, document) ? { schema: items, within: [] } : undefined;
  if (depth > 2) return undefined;
  const entries = Object.entries(document.propertiesOf(given)).filter(
    ([key]) => !notRows.test(key),
  );
  const inside = (chosen: typeof entries): readonly RowPlace[] =>
    chosen.flatMap(([key, property]) => {
      const found = listPlace(property, document, depth + 1);
      return found === undefined ? [] : [{ ...found, within: [key, ...found.within] }];
    });
  const known = inside(
    envelopes.flatMap((name) => entries.filter(([key]) => key.toLowerCase() === name)),
  );
  if (known[0] !== undefined) return known[0];
  // An object that has several lists is no envelope, and neither is one within a row.
  const lists = inside(entries.filter(([, property]) => document.plainSchema(property)["items"]));
  return lists.length === 1 ? lists[0] : undefined;
}

function isRow(items: unknown, document: OpenApiDocument): boolean {
  return Object.keys(document.propertiesOf(items)).length > 0;
}

/** Where a schema has the one row: in an envelope with little else, or itself. */
function onePlace(given: unknown, document: OpenApiDocument): RowPlace | undefined {
  const properties = document.propertiesOf(given);
  const names = Object.keys(properties);
  const [key] = names.filter((name) => /^(?:data|item|result|record)$/i.test(name));
  const rest = names.filter((name) => name !== key && !notRows.test(name));
  if (key !== undefined && rest.length === 0 && isRow(properties[key], document)) {
    return { schema: properties[key], within: [key] };
  }
  return names.length > 0 ? { schema: given, within: [] } : undefined;
}

/** The objects of an example: where its schema has them, else a list, or the only list in an envelope. */
function rowsIn(
  value: unknown,
  {
    isOne,
    place,
    tell,
  }: { isOne: boolean; place: RowPlace | undefined; tell: (message: string) => void },
): readonly JsonRow[] {
  const inside = (place?.within ?? []).reduce(
    (holder: unknown, key) => asObject(holder)?.[key],
    value,
  );
  const found = inside ?? value;
  if (Array.isArray(found)) return found.filter(isObject) as JsonRow[];
  if (!isObject(found)) return [];
  // Some give one element as the example of a list.
  if (isOne || place?.within.length === 0) return [found as JsonRow];
  const [only, ...others] = Object.entries(found).filter(
    ([, item]) => Array.isArray(item) && item.every(isObject),
  );
  if (only === undefined || others.length > 0) return [];
  const [key, rows] = only;
  tell(`the rows are those in ${JSON.stringify(key)} of the answer; its other keys were left out`);
  return rows as JsonRow[];
}

/** A list and a path of one row often show the same example, and the one that a schema gives may lack the key. */
function addRows(rows: JsonRow[], added: readonly JsonRow[]): void {
  const known = new Set(rows.map((row) => JSON.stringify(row)));
  rows.push(...added.filter((row) => !known.has(JSON.stringify(row))));
}

/** The table of a draft. Rows without the key of its schema are none: they are made of the examples of some properties. */
function tableOf(draft: TableDraft, tell: Tell): ImportedTable {
  const { name, path, rows, properties, required, parameters } = draft;
  const key = keyOf(properties, parameters);
  const kept = key === undefined ? rows : withKey(rows, key, (why) => tell(path, why));
  const columns = new Map(
    [...properties].map(([column, schema]): [string, KnownColumn] => {
      const values = kept.map((row) => row[column] ?? null);
      const isFull = values.every((value) => value !== null);
      const notNull = required.has(column) && isFull && !mayBeNull(schema) && column !== key;
      return [column, { ...columnOf(schema, values), ...(notNull ? { notNull } : {}) }];
    }),
  );
  return { name, path, rows: kept, columns, primaryKey: key === "id" ? undefined : key };
}

/** Examples are written by hand, and often for one row several times. */
function withKey(
  rows: readonly JsonRow[],
  key: string,
  tell: (why: string) => void,
): readonly JsonRow[] {
  const known = new Set<unknown>();
  return rows.filter((row) => {
    const value = row[key] ?? null;
    // validRows tells of ids.
    if (value === null || key === "id") return value !== null;
    const isFirst = !known.has(value);
    if (!isFirst) tell(`left out: another row has the ${key} ${JSON.stringify(value)}`);
    known.add(value);
    return isFirst;
  });
}

/** The column that tells rows apart: `id`, or the one that paths have in braces. */
function keyOf(
  properties: TableDraft["properties"],
  parameters: ReadonlySet<string>,
): string | undefined {
  const names = [...parameters, "uid", "uuid", "guid", "key", "slug"];
  const isKey = (name: string): boolean =>
    /^(?:integer|number|string)$/.test(String([properties.get(name)?.["type"]].flat()[0]));
  return ["id", ...names].find((name) => properties.has(name) && isKey(name));
}

const types: ReadonlyMap<unknown, string> = new Map([
  ["integer", "INTEGER"],
  ["number", "REAL"],
  ["string", "TEXT"],
  ["boolean", "BOOLEAN"],
  ["object", "JSON"],
  ["array", "JSON"],
]);

/** What a schema says of a column, as far as the examples keep to it. */
function columnOf(
  { type: given, default: usual, properties, items }: JsonObject,
  values: readonly JsonValue[],
): KnownColumn {
  // OpenAPI 3.1 has lists of types, of which one may be null.
  const [name, ...others] = [given].flat().filter((one) => one !== "null");
  const isNested = name === undefined && (properties !== undefined || items !== undefined);
  const plain = others.length === 0 ? types.get(name) : undefined;
  const told = isNested ? "JSON" : plain;
  const type = values.every((value) => fits(value, told)) ? told : "ANY";
  const isDefault = isPresent(usual) && fits(usual as JsonValue, type);
  return {
    ...(type === undefined ? {} : { type }),
    ...(isDefault ? { default: usual as JsonValue } : {}),
  };
}

function fits(value: JsonValue, type: string | undefined): boolean {
  if (value === null || type === undefined || type === "JSON" || type === "ANY") return true;
  if (type === "INTEGER") return Number.isSafeInteger(value);
  if (type === "REAL") return typeof value === "number";
  return typeof value === (type === "TEXT" ? "string" : "boolean");
}

function mayBeNull({ type, nullable, "x-nullable": ofSwagger }: JsonObject): boolean {
  return nullable === true || ofSwagger === true || [type].flat().includes("null");
}

interface Filling {
  readonly found: readonly { readonly draft: TableDraft; readonly table: ImportedTable }[];
  readonly count: number;
}

/** The table with rows that are made up at each start. */
function withGenerated(
  table: ImportedTable,
  { properties, parameters }: TableDraft,
  { found, count }: Filling,
): ImportedTable {
  if (count === 0 || properties.size === 0) return table;
  const key = keyOf(properties, parameters);
  const row = Object.fromEntries(
    [...properties].map(([name, schema]) => {
      if (name === key) return [name, keyTemplate(schema, name)];
      const target = targetOf(name, found);
      return [name, target === undefined ? valueTemplate(schema, name) : keyAmong(target, count)];
    }),
  );
  return { ...table, generate: { count, row } };
}

/** The table with whole numbers as ids that a column such as `userId` names. */
function targetOf(column: string, found: Filling["found"]): ImportedTable | undefined {
  const tables = found.map(({ table }) => table);
  const target = tableMeantBy(column, tables);
  const draft = target && found[tables.indexOf(target)]?.draft;
  return draft?.properties.get("id")?.["type"] === "integer" ? target : undefined;
}

function keyAmong({ rows }: ImportedTable, count: number): JsonValue {
  if (rows.length === 0) return `{{ index | modulo: ${count} | plus: 1 }}`;
  return rows[0]?.["id"] ?? null;
}
