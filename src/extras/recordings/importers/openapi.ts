import { EmulatorError } from "../../../core/errors/emulator-error.ts";
import { type JsonPath, type JsonValue, isObject } from "../../../core/schema/json.ts";
import type { JsonRow } from "../../../core/store/value.ts";
import { type Imported, type Tell, createRemarks } from "./imported.ts";
import { findReferences } from "./json-server.ts";
import { OpenApiDocument, examplesOf, schemaExamples } from "./openapi-schema.ts";
import { type ImportedTable, type KnownColumn, soundRows, tableFiles } from "./table-files.ts";

type Json = Readonly<Record<string, unknown>>;

interface TableDraft {
  readonly name: string;
  readonly path: JsonPath;
  readonly rows: JsonRow[];
  columns: Map<string, KnownColumn>;
}

/** The tables of an OpenAPI document: of each path that lists something the examples, as rows. */
export function importOpenApi(given: Json): Imported {
  refuseOldForms(given);
  const { list, tell } = createRemarks();
  const document = new OpenApiDocument(given);
  const reader = new TableReader(document, tell);
  const paths = isObject(given["paths"]) ? given["paths"] : {};
  for (const [path, item] of Object.entries(paths))
    reader.readPath(path, document.resolve(item) ?? {});
  reader.readSchemas();
  const tables = reader.tables().map((table) => soundRows(table, tell));
  return { files: tableFiles(tables, findReferences(tables, tell), tell), remarks: list };
}

function refuseOldForms({ swagger }: Json): void {
  if (swagger === undefined) return;
  throw new EmulatorError(
    "ERR_FIXTURES_UNREADABLE",
    `Cannot import the document: it is of Swagger ${JSON.stringify(swagger)}, and OpenAPI 3 is read. Convert it first, at https://converter.swagger.io say.`,
  );
}

/** Collects the examples of a document by table. */
class TableReader {
  readonly #document: OpenApiDocument;
  readonly #tell: Tell;
  readonly #drafts = new Map<string, TableDraft>();
  /** Tables by the name of the schema that their rows have. */
  readonly #bySchema = new Map<string, TableDraft>();

  constructor(document: OpenApiDocument, tell: Tell) {
    this.#document = document;
    this.#tell = tell;
  }

  tables(): readonly ImportedTable[] {
    return [...this.#drafts.values()];
  }

  readPath(path: string, item: Json): void {
    const get = this.#document.resolve(item["get"]);
    const media = get === undefined ? undefined : this.#mediaOf(get);
    const place = ["paths", path];
    const segments = path.split("/").filter((segment) => segment !== "");
    const isOne = /^\{.*\}$/.test(segments.at(-1) ?? "");
    const name = segments.findLast((segment) => !segment.startsWith("{"));
    if (media === undefined || name === undefined) {
      if (get !== undefined) this.#tell(place, "left out: GET has no answer 2xx in JSON");
      return;
    }
    const rowSchema = this.#rowSchemaOf(media["schema"], isOne);
    const values = examplesOf(media, this.#document);
    const rows = values.flatMap((value) => this.#rowsIn(value, isOne, place));
    if (rowSchema === undefined && rows.length === 0) {
      this.#tell(place, "left out: it has no example with objects that could be rows");
      return;
    }
    const draft = this.#draft(name, place);
    this.#addRows(draft, rows, place);
    this.#addColumns(draft, rowSchema);
  }

  /** Schemas with an example that no path shows are tables of their own. */
  readSchemas(): void {
    const components = isObject(this.#document.root["components"])
      ? this.#document.root["components"]
      : {};
    const schemas = isObject(components["schemas"]) ? components["schemas"] : {};
    for (const [name, schema] of Object.entries(schemas)) {
      const rows = schemaExamples(schema, this.#document).filter(isObject);
      if (rows.length === 0) continue;
      const place = ["components", "schemas", name];
      const known = this.#bySchema.get(name);
      if (known === undefined && this.#isPartOfOthers(name, schemas)) continue;
      const draft = known ?? this.#draft(name, place);
      if (known === undefined) {
        this.#tell(
          place,
          `no path lists these: the table is called ${JSON.stringify(name)} as the schema is`,
        );
        this.#addColumns(draft, schema);
      }
      if (known === undefined || known.rows.length === 0)
        this.#addRows(draft, rows as JsonRow[], place);
    }
  }

  /** A schema that others have as a property is part of their rows. */
  #isPartOfOthers(name: string, schemas: Json): boolean {
    const reference = JSON.stringify(`#/components/schemas/${name}`);
    return Object.entries(schemas).some(
      ([other, schema]) => other !== name && JSON.stringify(schema).includes(reference),
    );
  }

  #mediaOf(operation: Json): Json | undefined {
    const responses = isObject(operation["responses"]) ? operation["responses"] : {};
    const status = Object.keys(responses).find((key) => key.startsWith("2")) ?? "default";
    const { content } = this.#document.resolve(responses[status]) ?? {};
    if (!isObject(content)) return undefined;
    const type = Object.keys(content).find((key) => /^[^;]*\bjson\b/.test(key));
    return type === undefined ? undefined : this.#document.resolve(content[type]);
  }

  /** The schema of a row: of what is listed, or of the one object; also within an envelope such as `data`. */
  #rowSchemaOf(given: unknown, isOne: boolean): unknown {
    const schema = this.#document.resolve(given);
    if (schema === undefined) return undefined;
    if (schema["items"] !== undefined) return schema["items"];
    const properties = isObject(schema["properties"]) ? Object.values(schema["properties"]) : [];
    const lists = properties.flatMap(
      (property) => this.#document.resolve(property)?.["items"] ?? [],
    );
    if (lists.length === 1 && !isOne) return lists[0];
    return isOne && properties.length > 0 ? given : undefined;
  }

  /** The objects of an example: of a list, or of the only list in an envelope. */
  #rowsIn(value: unknown, isOne: boolean, place: JsonPath): readonly JsonRow[] {
    if (Array.isArray(value)) return value.filter(isObject) as JsonRow[];
    if (!isObject(value)) return [];
    if (isOne) return [value as JsonRow];
    const lists = Object.entries(value).filter(
      ([, item]) => Array.isArray(item) && item.every(isObject),
    );
    const [only] = lists;
    if (only === undefined || lists.length > 1) return [];
    this.#tell(
      place,
      `the rows are those in ${JSON.stringify(only[0])} of the example; what stands beside it was left out`,
    );
    return only[1] as JsonRow[];
  }

  #draft(name: string, path: JsonPath): TableDraft {
    const known = this.#drafts.get(name);
    if (known !== undefined) return known;
    const draft = { name, path, rows: [], columns: new Map<string, KnownColumn>() };
    this.#drafts.set(name, draft);
    return draft;
  }

  /** Of two examples of one id the first counts. */
  #addRows(draft: TableDraft, rows: readonly JsonRow[], place: JsonPath): void {
    for (const row of rows) {
      const same = draft.rows.find((known) =>
        Object.hasOwn(row, "id")
          ? known["id"] === row["id"]
          : JSON.stringify(known) === JSON.stringify(row),
      );
      if (same === undefined) draft.rows.push(row);
      else if (JSON.stringify(same) !== JSON.stringify(row)) {
        this.#tell(place, `another example of the id ${JSON.stringify(row["id"])} was left out`);
      }
    }
  }

  #addColumns(draft: TableDraft, given: unknown): void {
    const name = this.#document.nameOf(given);
    if (name !== undefined && !this.#bySchema.has(name)) this.#bySchema.set(name, draft);
    const { properties } = this.#document.resolve(given) ?? {};
    if (!isObject(properties)) return;
    for (const [column, property] of Object.entries(properties)) {
      if (column === "" || draft.columns.has(column)) continue;
      const schema = this.#document.resolve(property) ?? {};
      const type = columnType(schema["type"]);
      const usual = schema["default"];
      draft.columns.set(column, {
        ...(type === undefined ? {} : { type }),
        ...(usual === undefined || usual === null ? {} : { default: usual as JsonValue }),
      });
    }
  }
}

const types: ReadonlyMap<unknown, string> = new Map([
  ["integer", "INTEGER"],
  ["number", "REAL"],
  ["string", "TEXT"],
  ["boolean", "BOOLEAN"],
  ["object", "JSON"],
  ["array", "JSON"],
]);

/** OpenAPI 3.1 has lists of types, of which one may be null. */
function columnType(given: unknown): string | undefined {
  const names: readonly unknown[] = Array.isArray(given)
    ? given.filter((name) => name !== "null")
    : [given];
  return names.length === 1 ? types.get(names[0]) : undefined;
}
