import { decodedPart } from "../../../core/http/url-parts.ts";
import { asObject, isObject, type JsonObject, parseJson } from "../../../core/schema/json.ts";
import type { LinkedDocument } from "./openapi-links.ts";

/** The most references that are followed from one to the next. */
const mostReferences = 20;

/** The deepest level of schemas that is read, since many schemas refer to themselves. */
const deepest = 8;

/**
 * The most parts of a schema that are read for one example, since a schema that refers to itself in several places has
 * no end.
 */
const mostParts = 2_000;

/** An OpenAPI document with its files. It follows references, and gives the properties and examples of schemas. */
export class OpenApiDocument {
  readonly #root: JsonObject;
  readonly #files: LinkedDocument["files"];
  /** The references within files that lead nowhere, or in a circle. */
  readonly lost: Set<string> = new Set();
  readonly #properties = new Map<object, JsonObject>();

  constructor({ root, files }: LinkedDocument) {
    this.#root = root;
    this.#files = files;
  }

  /** A part of the document, or the part that its references lead to. Undefined: they lead nowhere. */
  resolve(value: unknown, followed = 0): JsonObject | undefined {
    const found = asObject(value);
    const { $ref } = found ?? {};
    if (typeof $ref !== "string") return found;
    const target = followed > mostReferences ? undefined : this.#targetOf($ref);
    // A file that cannot be read has got its remark already, when the document was linked.
    const isKnown = $ref.startsWith("#") || this.#files.has($ref.slice(0, $ref.indexOf("#")));
    if (target === undefined && isKnown) this.lost.add($ref);
    return this.resolve(target, followed + 1);
  }

  #targetOf(reference: string): unknown {
    const at = reference.indexOf("#");
    if (at === -1) return undefined;
    let target: unknown = at === 0 ? this.#root : this.#files.get(reference.slice(0, at));
    const [, ...steps] = reference.slice(at + 1).split("/");
    for (const step of steps) {
      const key = (decodedPart(step) ?? step).replaceAll("~1", "/").replaceAll("~0", "~");
      const holder: object = typeof target === "object" && target !== null ? target : {};
      target = Object.hasOwn(holder, key) ? (holder as JsonObject)[key] : undefined;
    }
    return target;
  }

  /** The properties of a schema, with those of its parts and of each of its alternatives. */
  propertiesOf(given: unknown, depth = 0): JsonObject {
    const schema = this.resolve(given) ?? {};
    const { properties, allOf, oneOf, anyOf } = schema;
    const own = asObject(properties) ?? {};
    const known = this.#properties.get(schema);
    if (known !== undefined || depth > deepest) return known ?? own;
    // A schema that refers to itself adds nothing.
    this.#properties.set(schema, own);
    const parts = [allOf, oneOf, anyOf].filter((list) => Array.isArray(list)).flat();
    const all = joined([...parts.map((part) => this.propertiesOf(part, depth + 1)), own]);
    this.#properties.set(schema, all);
    return all;
  }

  /** The properties that each value of a schema has. */
  requiredOf(given: unknown): ReadonlySet<string> {
    const names = new Set<string>();
    const seen = new Set<object>();
    const above = new Set<object>();
    const look = (part: unknown, depth: number): void => {
      const schema = this.resolve(part);
      if (schema === undefined) return;
      if (above.has(schema)) this.#loseReference(part);
      // A schema that has been seen adds nothing.
      if (seen.has(schema)) return;
      seen.add(schema);
      const { required, allOf } = schema;
      for (const name of Array.isArray(required) ? required : []) {
        if (typeof name === "string") names.add(name);
      }
      if (depth > deepest || !Array.isArray(allOf)) return;
      above.add(schema);
      for (const inner of allOf) look(inner, depth + 1);
      above.delete(schema);
    };
    look(given, 0);
    return names;
  }

  /** Remembers a reference that leads in a circle. */
  #loseReference(part: unknown): void {
    const { $ref } = asObject(part) ?? {};
    if (typeof $ref === "string") this.lost.add($ref);
  }

  /** A property's schema, joined with the schemas in `allOf` and with the first alternative that is not null. */
  plainSchema(given: unknown): JsonObject {
    const schema = this.resolve(given) ?? {};
    const { allOf, oneOf, anyOf } = schema;
    const either = [oneOf, anyOf].find((list) => Array.isArray(list)) as unknown[] | undefined;
    const choices = (either ?? []).map((one) => this.resolve(one) ?? {});
    const chosen = choices.find(({ type }) => type !== "null");
    const parts = (Array.isArray(allOf) ? allOf : []).map((part) => this.resolve(part) ?? {});
    const mayBeNull = choices.some(({ type }) => type === "null");
    return joined([...parts, chosen ?? {}, schema, ...(mayBeNull ? [{ nullable: true }] : [])]);
  }

  /** The examples that a media type itself has. */
  ownExamples({ example, examples }: JsonObject): readonly unknown[] {
    const named = Object.values(asObject(examples) ?? {}).map(
      (item) => this.resolve(item)?.["value"],
    );
    const own = [example, ...named].filter((value) => value !== undefined);
    // Some documents have an example as JSON text.
    return own.map((value) => (typeof value === "string" ? (parseJson(value) ?? value) : value));
  }

  /** The examples of a media type: its own, else the one of its schema. */
  examplesOf(media: JsonObject): readonly unknown[] {
    const own = this.ownExamples(media);
    return own.length > 0 ? own : [this.#exampleOf(media["schema"], 0, { left: mostParts })];
  }

  /** The example of a schema, else one made of the examples of its parts; undefined if there are none. */
  #exampleOf(given: unknown, depth: number, budget: { left: number }): unknown {
    const schema = this.resolve(given);
    if (schema === undefined || depth > deepest || budget.left-- <= 0) return undefined;
    const { example, examples, default: usual, items, allOf, properties } = schema;
    const own = example ?? (Array.isArray(examples) ? examples[0] : undefined) ?? usual;
    if (own !== undefined) return own;
    if (items !== undefined) {
      const item = this.#exampleOf(items, depth + 1, budget);
      return item === undefined ? undefined : [item];
    }
    const entries = Object.entries(asObject(properties) ?? {}).flatMap(([name, property]) => {
      const value = this.#exampleOf(property, depth + 1, budget);
      return value === undefined ? [] : [[name, value] as const];
    });
    const parts = (Array.isArray(allOf) ? allOf : [])
      .map((part) => this.#exampleOf(part, depth + 1, budget))
      .filter(isObject);
    if (entries.length > 0) parts.push(Object.fromEntries(entries));
    return parts.length === 0 ? undefined : joined(parts);
  }
}

/** The objects joined into one. If several have a key, the last value counts. */
function joined(objects: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(objects.flatMap((object) => Object.entries(object)));
}
