import { EmulatorError } from "../../../core/errors/emulator-error.ts";
import { failed } from "../../../core/errors/result.ts";
import { showText, showValue } from "../../../core/errors/show.ts";
import {
  asObject,
  isObject,
  isPresent,
  type JsonObject,
  type JsonPath,
  type JsonValue,
} from "../../../core/schema/json.ts";
import type { JsonRow } from "../../../core/store/value.ts";
import { createRemarks, type Imported, type Tell } from "./imported.ts";
import { findReferences, tableMeantBy } from "./json-server.ts";
import { OpenApiDocument } from "./openapi-document.ts";
import { mediaOf } from "./openapi-media.ts";
import { isRow, listPlace, singleRowPlace, type RowPlace, rowsIn } from "./openapi-rows.ts";
import { linkDocument, type ReadOtherFile } from "./openapi-links.ts";
import { fixedValues, keyTemplate, valueTemplate } from "./openapi-templates.ts";
import { type ImportedTable, type KnownColumn, tableFiles, validRows } from "./table-files.ts";
import { whyUnusable, usableRow } from "./usable-values.ts";

interface TableDraft {
  readonly name: string;
  readonly path: JsonPath;
  readonly rows: JsonRow[];
  /** The rows that the document has as whole examples. Other rows are made of the examples of parts. */
  readonly shown: Set<JsonRow>;
  /** The schemas of the columns. */
  readonly properties: Map<string, JsonObject>;
  readonly required: Set<string>;
  /** The names in braces of the paths to single rows. */
  readonly parameters: Set<string>;
}

/** The number of made-up rows for a table without examples. */
const usualRows = 20;

/** The tables of an OpenAPI document: one for each path that lists objects, with its examples or made-up rows. */
export async function importOpenApi(
  given: JsonObject,
  { rows: count = usualRows, readOther = readNone }: OpenApiOptions = {},
): Promise<Imported> {
  refuseOldForms(given);
  const { list, tell } = createRemarks();
  const { produces } = given;
  const linked = await linkDocument(given, readOther, tell);
  const document = new OpenApiDocument(linked);
  const drafts = new Map<string, TableDraft>();
  for (const [path, item] of Object.entries(asObject(linked.root["paths"]) ?? {})) {
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
    table.rows.length > 0 ? table : withGenerated(table, draft, { document, found, count }),
  );
  const all = new Map(
    filled.map(({ name, generate, primaryKey }) => {
      const made = Object.keys(generate?.row ?? {}).flatMap((column) => {
        const target = targetOf(column, name, found);
        return target === undefined || column === primaryKey
          ? []
          : [[column, `${target.name}.id`] as const];
      });
      return [name, new Map([...(references.get(name) ?? []), ...made])];
    }),
  );
  for (const reference of document.lost) {
    tell([], `the reference ${showText(reference)} leads nowhere, or in a circle`);
  }
  return { files: tableFiles(filled, all, tell), remarks: list };
}

interface OpenApiOptions {
  /** The number of made-up rows for a table without examples. */
  readonly rows?: number;
  /** Reads the files that the document refers to. Default: none. */
  readonly readOther?: ReadOtherFile;
}

const readNone: ReadOtherFile = async (reference) => ({
  name: reference,
  content: failed("other files are not read here"),
});

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
  /** The media types of answers in Swagger 2, unless an operation has its own. */
  readonly produces: unknown;
  readonly tell: (message: string) => void;
}

/** The last part of a path that searches for rows, such as `findByStatus`. The part before it names the table. */
const action = /^(?:find|get|search|list|query|lookup|filter|fetch|by)(?=[A-Z_-]|$)/;

/** Adds the rows and columns that GET of a path shows, or a remark why it shows none. */
function addPath(path: string, item: unknown, context: PathContext): void {
  const { document, produces, tell } = context;
  const get = document.resolve(document.resolve(item)?.["get"]);
  if (get === undefined) return;
  const media = mediaOf({ produces, ...get }, document);
  if (media === undefined) {
    tell("left out: GET has no JSON answer with a status of 2xx");
    return;
  }
  const segments = segmentsOf(path);
  const parameter = /^\{(.*)\}$/.exec(segments.at(-1) ?? "")?.[1];
  // A path that ends with a parameter gives one row, or a list of rows that belong to the parameter.
  const isOne =
    parameter !== undefined && document.plainSchema(media["schema"])["items"] === undefined;
  const named = tableName(segments);
  const place = isOne
    ? singleRowPlace(media["schema"], document)
    : listPlace(media["schema"], document, named);
  const name = named ?? place?.within.at(-1);
  const isOwn = document.ownExamples(media).length > 0;
  const told: string[] = [];
  const rows = document
    .examplesOf(media)
    .flatMap((value) =>
      rowsIn(value, { isOne, isOwn, place, tell: (message) => told.push(message) }),
    );
  if (name === undefined || (place === undefined && rows.length === 0)) {
    const why = rows.length > 0 ? "its path names no table" : whyNone(media, document);
    tell(`left out: ${why}`);
    return;
  }
  told.forEach(tell);
  const draft = draftOf(name, path, place, context);
  if (isOne) draft.parameters.add(parameter);
  addRows(
    draft,
    rows.map((row) =>
      usableRow(row, (column, why) => tell(`left out: an example of ${showText(column)}: ${why}`)),
    ),
    isOwn,
  );
}

/** The parts of a path, without a format at the end as in `/users.json` and `/users/{id}.json`. */
function segmentsOf(path: string): readonly string[] {
  return path
    .replace(/[?#].*/, "")
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => segment.replace(/(?<=.)\.json$/, ""));
}

/** The name of a path's table: the last part that is no parameter and, if another part remains, no action. */
function tableName(segments: readonly string[]): string | undefined {
  const names = segments.filter((segment) => !segment.includes("{"));
  return names.findLast((segment) => !action.test(segment)) ?? names.at(-1);
}

/** The table's draft, with the columns that a path adds. */
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
    shown: new Set(),
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

/** Adds rows that the draft does not have yet: a list and the path of a single row often show the same example. */
function addRows({ rows, shown }: TableDraft, added: readonly JsonRow[], isOwn: boolean): void {
  const known = new Set(rows.map((row) => JSON.stringify(row)));
  rows.push(...added.filter((row) => !known.has(JSON.stringify(row))));
  if (isOwn) for (const row of added) shown.add(row);
}

/** The table of a draft. Examples without the table's key are dropped. */
function tableOf(draft: TableDraft, tell: Tell): ImportedTable {
  const { name, path, properties, required, parameters } = draft;
  const key = keyOf(properties, parameters);
  const rows = key === undefined ? withoutOddIds(draft, tell) : draft.rows;
  const kept =
    key === undefined
      ? rows
      : withKey(rows, key, (row, why) => draft.shown.has(row) && tell(path, why));
  const columns = new Map(
    [...properties].map(([column, schema]): [string, KnownColumn] => {
      const known = columnOf(schema, kept.length > 0 ? kept.map((row) => row[column] ?? null) : []);
      const lost = defaultProblem(schema, known);
      if (lost !== undefined)
        tell(path, `the default of ${showText(column)} was left out: ${lost}`);
      const isFull = kept.every((row) => isPresent(row[column]));
      const notNull = required.has(column) && isFull && !mayBeNull(schema) && column !== key;
      return [column, { ...known, ...(notNull ? { notNull } : {}) }];
    }),
  );
  return { name, path, rows: kept, columns, primaryKey: key === "id" ? undefined : key };
}

/**
 * The rows without their column `id` if its values cannot be keys, as true and false cannot. If no row has an id, the
 * schema decides.
 */
function withoutOddIds({ path, rows, properties }: TableDraft, tell: Tell): readonly JsonRow[] {
  const ids = rows.map((row) => row["id"]).filter(isPresent);
  const areKeys = ids.every((id) => typeof id === "string" || typeof id === "number");
  const isColumn = properties.has("id") || ids.length > 0;
  if (!isColumn || (ids.length > 0 && areKeys)) return rows;
  tell(path, 'the column "id" was left out: it is no text and no number, as keys are');
  properties.delete("id");
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => column !== "id")),
  );
}

function defaultProblem({ default: usual }: JsonObject, known: KnownColumn): string | undefined {
  if (!isPresent(usual) || known.default !== undefined) return undefined;
  return whyUnusable(usual) ?? `${showValue(usual)} is no ${known.type ?? "value"} here`;
}

/** The rows that have a key of their own. Examples are written by hand, and often repeat a row. */
function withKey(
  rows: readonly JsonRow[],
  key: string,
  tell: (row: JsonRow, why: string) => void,
): readonly JsonRow[] {
  const known = new Set<unknown>();
  return rows.filter((row) => {
    const value = row[key] ?? null;
    if (value === null) {
      tell(row, `left out: an example without ${showText(key)}, the key of the others`);
    }
    // `validRows` checks the values of the column `id`.
    if (value === null || key === "id") return value !== null;
    if (typeof value === "object" || typeof value === "boolean") {
      tell(row, `left out: an example in which ${showText(key)}, the key, is ${showValue(value)}`);
      return false;
    }
    const isFirst = !known.has(value);
    if (!isFirst) tell(row, `left out: another row has the ${key} ${JSON.stringify(value)}`);
    known.add(value);
    return isFirst;
  });
}

/** The column that identifies rows: `id`, else a name in the braces of paths, else a usual name such as `uuid`. */
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

/**
 * A column as its schema describes it, as far as the examples or, without any, the values that the schema lists agree.
 */
function columnOf(schema: JsonObject, shown: readonly JsonValue[]): KnownColumn {
  const { type: given, default: usual, properties, items } = schema;
  // In OpenAPI 3.1, the type may be a list, and one of its types may be null.
  const [name, ...others] = [given].flat().filter((one) => one !== "null");
  const isNested = name === undefined && (properties !== undefined || items !== undefined);
  const plain = others.length === 0 ? types.get(name) : undefined;
  const told = isNested ? "JSON" : plain;
  const values = shown.length > 0 ? shown : (fixedValues(schema) ?? []);
  const type = values.every((value) => fits(value, told)) ? told : "ANY";
  const isDefault =
    isPresent(usual) && whyUnusable(usual) === undefined && fits(usual as JsonValue, type);
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
  readonly document: OpenApiDocument;
  readonly found: readonly { readonly draft: TableDraft; readonly table: ImportedTable }[];
  readonly count: number;
}

/** The table with rows that are made up at each start. A column for which no value can be made up may be NULL. */
function withGenerated(
  table: ImportedTable,
  { name: own, properties, parameters }: TableDraft,
  { document, found, count }: Filling,
): ImportedTable {
  if (count === 0 || properties.size === 0) return table;
  const key = keyOf(properties, parameters);
  const row = new Map(
    [...properties].map(([name, schema]): [string, JsonValue] => {
      if (name === key) return [name, keyTemplate(schema, name)];
      const target = targetOf(name, own, found);
      const made =
        target === undefined ? valueTemplate(schema, name, document) : keyAmong(target, count);
      return [name, made];
    }),
  );
  const columns = new Map(
    [...(table.columns ?? [])].map(([name, known]): [string, KnownColumn] => [
      name,
      row.get(name) === null ? { ...known, notNull: false } : known,
    ]),
  );
  return { ...table, columns, generate: { count, row: Object.fromEntries(row) } };
}

/** The table that a column such as `userId` refers to, if the column and the table's ids are whole numbers. */
function targetOf(
  column: string,
  table: string,
  found: Filling["found"],
): ImportedTable | undefined {
  const tables = found.map(({ table: one }) => one);
  const target = tableMeantBy(column, tables);
  const own = found.find(({ draft }) => draft.name === table)?.draft;
  const other = target && found[tables.indexOf(target)]?.draft;
  const areWhole = [own?.properties.get(column), other?.properties.get("id")].every(
    (schema) => [schema?.["type"]].flat()[0] === "integer",
  );
  return areWhole ? target : undefined;
}

function keyAmong({ rows }: ImportedTable, count: number): JsonValue {
  if (rows.length === 0) return `{{ index | modulo: ${count} | plus: 1 }}`;
  return rows[0]?.["id"] ?? null;
}
