import { dereference, type Schema, type SchemaDraft, validate } from "@cfworker/json-schema";
import { isObject, type JsonObject, type JsonValue } from "../schema/json.ts";

/** A schema within a document: an object, or true or false for any value and none. */
export type SubSchema = JsonObject | boolean;

/** Reads a schema. Anything that is not a schema allows every value. */
export function schemaIn(value: unknown): SubSchema {
  return typeof value === "boolean" || isObject(value) ? value : true;
}

/** A client's JSON Schema: resolves its references, and checks values. */
export class SchemaDocument {
  readonly root: SubSchema;
  /** Whether keywords beside `$ref` are ignored, as up to draft 7. */
  readonly #refersOnly: boolean;
  readonly #draft: SchemaDraft;
  readonly #places: Record<string, Schema | boolean>;

  /** Throws for an invalid schema, such as one with two parts of the same name. */
  constructor(given: JsonObject | boolean) {
    // A copy, since the validator adds marks to the schema.
    this.root = schemaIn(inNumbers(JSON.parse(JSON.stringify(given))));
    this.#draft = draftOf(this.root);
    this.#refersOnly = this.#draft === "4" || this.#draft === "7";
    this.#places = dereference(this.root);
  }

  /** The schema that a reference leads to. Undefined: there is no reference; null: it leads nowhere. */
  follow(schema: JsonObject): SubSchema | null | undefined {
    const { $ref, $recursiveRef, __absolute_ref__: address } = schema;
    if ($recursiveRef === "#") return this.root;
    if (typeof $ref !== "string") return undefined;
    const found: unknown = this.#places[typeof address === "string" ? address : $ref];
    return typeof found === "boolean" || isObject(found) ? found : null;
  }

  /** Whether a schema consists of its reference alone. */
  onlyRefers(schema: JsonObject): boolean {
    return this.#refersOnly && schema["$ref"] !== undefined;
  }

  /** Whether a value fits all of these parts of the document. */
  accepts(value: JsonValue, all: readonly SubSchema[]): boolean {
    return all.every((part) => validate(value, part, this.#draft, this.#places).valid);
  }

  /** Why a value does not fit the document, and where. Undefined: it fits. */
  misfit(value: JsonValue): string | undefined {
    const { errors } = validate(value, this.root, this.#draft, this.#places);
    const deepest = errors.at(-1);
    if (deepest === undefined) return undefined;
    const place = deepest.instanceLocation.replace(/^#\/?/, "");
    const isForbidden = deepest.keyword === "false";
    const why = isForbidden ? "it must not be there" : deepest.error.replace(/\.$/, "");
    return place === "" ? why : `${place}: ${why}`;
  }
}

const drafts: readonly (readonly [name: RegExp, draft: SchemaDraft])[] = [
  [/draft-0[34]/, "4"],
  [/draft-0[67]/, "7"],
  [/2019-09/, "2019-09"],
];

function draftOf(root: SubSchema): SchemaDraft {
  const named = isObject(root) ? String(root["$schema"]) : "";
  return drafts.find(([name]) => name.test(named))?.[1] ?? "2020-12";
}

/** Converts `exclusiveMinimum: true`, the form of draft 4 and OpenAPI 3.0, to the number that later drafts use. */
function inNumbers(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(inNumbers);
  if (!isObject(part)) return part;
  const changed = Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, inNumbers(value)]),
  );
  for (const [exclusive, limit] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof changed[exclusive] !== "boolean") continue;
    const isExclusive = changed[exclusive];
    delete changed[exclusive];
    if (!isExclusive || typeof changed[limit] !== "number") continue;
    changed[exclusive] = changed[limit];
    delete changed[limit];
  }
  return changed;
}
