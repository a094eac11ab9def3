import { decodedPart } from "../../../core/http/url-parts.ts";
import { asObject, isObject, type JsonObject } from "../../../core/schema/json.ts";

/** So many references from one to the next are followed. */
const mostReferences = 20;

/** So deep are schemas looked into: many refer to themselves. */
const deepest = 8;

/** So many parts of a schema are looked at for one example: what refers to itself in several places grows without end. */
const mostParts = 2_000;

/** Follows references within a document, and finds what schemas and examples say. */
export class OpenApiDocument {
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

  /** The properties of a schema, with those of its parts and of each of its alternatives. */
  propertiesOf(given: unknown, depth = 0): JsonObject {
    const { properties, allOf, oneOf, anyOf } = this.resolve(given) ?? {};
    const own = asObject(properties) ?? {};
    if (depth > deepest) return own;
    const parts = [allOf, oneOf, anyOf].filter((list) => Array.isArray(list)).flat();
    return joined([...parts.map((part) => this.propertiesOf(part, depth + 1)), own]);
  }

  /** The properties that each value of a schema has. */
  requiredOf(given: unknown, depth = 0): ReadonlySet<string> {
    const { required, allOf } = this.resolve(given) ?? {};
    const own = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
    if (depth > deepest || !Array.isArray(allOf)) return new Set(own);
    return new Set([...own, ...allOf.flatMap((part) => [...this.requiredOf(part, depth + 1)])]);
  }

  /** A property's schema, with what its parts say of it; of alternatives the first that is not null. */
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

  /** The examples of a media type: its own, else the one of its schema. */
  examplesOf({ example, examples, schema }: JsonObject): readonly unknown[] {
    const named = Object.values(asObject(examples) ?? {}).map(
      (item) => this.resolve(item)?.["value"],
    );
    const own = [example, ...named].filter((value) => value !== undefined);
    return own.length > 0 ? own : [this.#exampleOf(schema, 0, { left: mostParts })];
  }

  /** The example of a schema, else one made of those of its parts; undefined where there is none. */
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

/** Of a name that several have the last counts. */
function joined(objects: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(objects.flatMap((object) => Object.entries(object)));
}
