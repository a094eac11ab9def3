import { isObject } from "../../../core/schema/json.ts";

type Json = Readonly<Record<string, unknown>>;

/** So many references from one to the next are followed. */
const mostReferences = 20;

/** Follows references within a document. */
export class OpenApiDocument {
  readonly root: Json;

  constructor(root: Json) {
    this.root = root;
  }

  /** What a part of the document is, references followed. Undefined: they lead nowhere, or out of the document. */
  resolve(value: unknown): Json | undefined {
    let found = value;
    for (let step = 0; step < mostReferences; step++) {
      if (!isObject(found)) return undefined;
      const { $ref } = found;
      if (typeof $ref !== "string") return found;
      found = this.#at($ref);
    }
    return undefined;
  }

  /** The name of the schema that a part of the document refers to, where it does. */
  nameOf(value: unknown): string | undefined {
    const { $ref } = isObject(value) ? value : {};
    const [, name] =
      /^#\/components\/schemas\/([^/]+)$/.exec(typeof $ref === "string" ? $ref : "") ?? [];
    return name === undefined ? undefined : unescaped(name);
  }

  #at(reference: string): unknown {
    if (!reference.startsWith("#/")) return undefined;
    let found: unknown = this.root;
    for (const step of reference.slice(2).split("/").map(unescaped)) {
      if (Array.isArray(found)) found = found[Number(step)];
      else if (isObject(found) && Object.hasOwn(found, step)) found = found[step];
      else return undefined;
    }
    return found;
  }
}

/** A step of a JSON pointer in a URI. */
function unescaped(step: string): string {
  const plain = /^(?:[^%]|%[0-9A-Fa-f]{2})*$/.test(step) ? decode(step) : step;
  return plain.replaceAll("~1", "/").replaceAll("~0", "~");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** So deep are schemas looked into. */
const deepest = 10;

/** The examples of a media type or a parameter: its own, else those of its schema. */
export function examplesOf(media: Json, document: OpenApiDocument): readonly unknown[] {
  const { example, examples, schema } = media;
  const named = isObject(examples)
    ? Object.values(examples).flatMap((item) => valueOf(document.resolve(item)))
    : [];
  const own = [...(example === undefined ? [] : [example]), ...named];
  return own.length > 0 ? own : schemaExamples(schema, document);
}

function valueOf(example: Json | undefined): readonly unknown[] {
  return example !== undefined && Object.hasOwn(example, "value") ? [example["value"]] : [];
}

/** The examples of a schema: its own, else one made of those of its parts. */
export function schemaExamples(
  given: unknown,
  document: OpenApiDocument,
  depth = 0,
): readonly unknown[] {
  const schema = document.resolve(given);
  if (schema === undefined || depth > deepest) return [];
  const { example, examples, items, allOf } = schema;
  if (example !== undefined) return [example];
  if (Array.isArray(examples) && examples.length > 0) return examples;
  if (schema["default"] !== undefined) return [schema["default"]];
  if (items !== undefined) {
    const found = schemaExamples(items, document, depth + 1);
    return found.length === 0 ? [] : [found];
  }
  const parts = Array.isArray(allOf)
    ? [
        ...(allOf as unknown[]),
        schema["properties"] === undefined ? {} : { properties: schema["properties"] },
      ]
    : [];
  if (parts.length > 0) {
    const objects = parts
      .map((part) => schemaExamples(part, document, depth + 1)[0])
      .filter(isObject);
    return objects.length === 0 ? [] : [Object.assign({}, ...objects)];
  }
  return propertyExample(schema, document, depth);
}

/** One object of the examples of its properties; none where no property has one. */
function propertyExample(
  { properties }: Json,
  document: OpenApiDocument,
  depth: number,
): readonly unknown[] {
  if (!isObject(properties)) return [];
  const entries = Object.entries(properties).flatMap(([name, property]): [string, unknown][] => {
    const [first] = schemaExamples(property, document, depth + 1);
    return first === undefined ? [] : [[name, first]];
  });
  return entries.length === 0 ? [] : [Object.fromEntries(entries)];
}
