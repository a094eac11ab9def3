import { asObject, isObject, type JsonObject, type JsonValue } from "../schema/json.ts";
import { numberLimits, numbersWithin } from "./numbers.ts";
import { SchemaDocument, schemaIn, type SubSchema } from "./schema-document.ts";
import { textsFor } from "./texts.ts";
import { waysToFit } from "./ways.ts";
import { anyWord } from "./words.ts";

/** A value made from a schema. */
export interface MadeValue {
  readonly value: JsonValue;
  /** Why the value does not fit the schema. Undefined: it fits. */
  readonly misfit: string | undefined;
}

/**
 * Makes a value that fits a JSON Schema. The same random numbers give the same value. If no fitting value exists or is
 * found, the value has at least the right form.
 */
export function makeValue(schema: JsonObject | boolean, random: () => number): MadeValue {
  let value: JsonValue = {};
  // An invalid schema can fail anywhere here: by a reference that leads nowhere, an invalid pattern, or too deep a
  // nesting.
  try {
    const document = new SchemaDocument(schema);
    for (const thrift of thrifts) {
      const made = makeWith(thrift, document, random);
      if (made === undefined) continue;
      value = made;
      if (!thrift.isLoose) return { value, misfit: undefined };
    }
    return { value, misfit: document.misfit(value) ?? "no value that fits was found" };
  } catch (error) {
    return { value, misfit: reasonOf(error) };
  }
}

function makeWith(
  thrift: Thrift,
  document: SchemaDocument,
  random: () => number,
): JsonValue | undefined {
  const maker = new ValueMaker(document, random, thrift);
  try {
    return maker.make([document.root], { open: new Set(), depth: 0, again: thrift.again });
  } catch (error) {
    // The validator cannot check values against this schema.
    if (thrift.isLoose) throw error;
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return line.replace(/\.$/, "");
}

/** Why a value does not fit a schema. Undefined: it fits, or the schema is invalid. */
export function misfitOf(schema: JsonObject | boolean, value: JsonValue): string | undefined {
  try {
    return new SchemaDocument(schema).misfit(value);
  } catch {
    return undefined;
  }
}

/** How much a value contains. */
interface Thrift {
  /** How often a value may contain a schema within itself. */
  readonly again: number;
  /** Whether optional properties and items are included. */
  readonly isFull: boolean;
  /** Whether values that do not fit are accepted, too. */
  readonly isLoose?: true;
}

/**
 * The attempts, rich values first. Recursive schemas end by leaving out what is optional, or else by recursing a few
 * more times.
 */
const thrifts: readonly Thrift[] = [
  { again: 1, isFull: true },
  { again: 1, isFull: false },
  { again: 3, isFull: false },
  { again: 12, isFull: false },
  { again: 0, isFull: false, isLoose: true },
];

/** The most values, with all parts, that are made in one attempt. */
const mostMade = 10_000;

/** The most alternatives of one schema that are tried. */
const mostWays = 64;

/** Values that are nested deeper are not made. */
const deepest = 100;

const usualItems = 2;

/** Longer arrays and larger objects are not made. */
const mostEntries = 1_000;

/** The surroundings of a value that is being made. */
interface Place {
  /** The referenced schemas that the value is inside of. */
  readonly open: ReadonlySet<SubSchema>;
  readonly depth: number;
  /** How many more times a referenced schema may contain itself. */
  readonly again: number;
}

class ValueMaker {
  readonly #document: SchemaDocument;
  readonly #random: () => number;
  readonly #thrift: Thrift;
  #left = mostMade;

  constructor(document: SchemaDocument, random: () => number, thrift: Thrift) {
    this.#document = document;
    this.#random = random;
    this.#thrift = thrift;
  }

  /** Makes a value that fits all of these schemas; undefined if none is found. */
  make(all: readonly SubSchema[], { open, depth, again }: Place): JsonValue | undefined {
    if (this.#left-- <= 0 || depth > deepest) return undefined;
    let ways = 0;
    for (const { parts, entered } of waysToFit(all, this.#document, this.#fromAny)) {
      if (ways++ >= mostWays) return undefined;
      const isAgain = [...entered].some((schema) => open.has(schema));
      if (isAgain && again === 0) continue;
      const inside = {
        open: new Set([...open, ...entered]),
        depth: depth + 1,
        again: isAgain ? again - 1 : again,
      };
      for (const value of this.#candidates(parts, inside)) {
        if (this.#thrift.isLoose || this.#document.accepts(value, all)) return value;
      }
    }
    return undefined;
  }

  *#candidates(parts: readonly JsonObject[], inside: Place): Generator<JsonValue> {
    const fixed = parts.find((part) => part["const"] !== undefined || Array.isArray(part["enum"]));
    for (const { default: usual, examples, example } of parts) {
      const shown = [...(Array.isArray(examples) ? examples : []), example];
      for (const value of [usual, ...shown]) if (value !== undefined) yield value as JsonValue;
    }
    if (fixed !== undefined) {
      const values = fixed["const"] === undefined ? fixed["enum"] : [fixed["const"]];
      const listed = this.#fromAny(values as readonly JsonValue[]);
      yield* listed.filter((value) => value !== null);
      yield* listed.filter((value) => value === null);
      return;
    }
    const told = typesOf(parts);
    for (const type of told === undefined ? likelyTypes(parts) : this.#fromAny(told)) {
      if (type !== "null") yield* this.#ofType(type, parts, inside);
    }
    if (told?.includes("null") === true) yield null;
  }

  #ofType(type: string, parts: readonly JsonObject[], inside: Place): Iterable<JsonValue> {
    switch (type) {
      case "boolean":
        return this.#fromAny([true, false]);
      case "integer":
      case "number":
        return numbersWithin(numberLimits(parts), type === "integer", this.#random);
      case "string":
        return textsFor(parts, this.#random);
      case "array":
        return this.#arrays(parts, inside);
      default:
        return this.#objects(parts, inside);
    }
  }

  *#arrays(parts: readonly JsonObject[], inside: Place): Generator<JsonValue> {
    const { least, most } = sizes(parts, "Items");
    const listed = Math.max(...parts.map((part) => placesOf(part).length));
    const held = parts.flatMap(({ contains, minContains }) =>
      contains === undefined || minContains === 0
        ? []
        : Array<SubSchema>(typeof minContains === "number" ? minContains : 1).fill(
            schemaIn(contains),
          ),
    );
    const needed = Math.max(least, held.length);
    if (needed > Math.min(most, mostEntries)) return;
    const usual = Math.max(needed, listed > 0 ? listed : usualItems);
    const counts = this.#thrift.isFull ? [Math.min(usual, most), needed] : [needed];
    const isUnique = parts.some(({ uniqueItems }) => uniqueItems === true);
    for (const count of new Set(counts)) {
      const items = this.#items(parts, { count, held, isUnique }, inside);
      if (items.length >= needed) yield items;
    }
  }

  #items(
    parts: readonly JsonObject[],
    { count, held, isUnique }: Filling,
    inside: Place,
  ): JsonValue[] {
    const items: JsonValue[] = [];
    const known = new Set<string>();
    for (let place = 0; place < count; place++) {
      const own = parts.map((part) => itemSchema(part, place));
      const wanted = held[place];
      const schemas = wanted === undefined ? own : [...own, wanted];
      const item = this.#newItem(schemas, { known, isUnique, count }, inside);
      if (item === undefined) break;
      items.push(item);
    }
    return items;
  }

  #newItem(
    schemas: readonly SubSchema[],
    { known, isUnique, count }: { known: Set<string>; isUnique: boolean; count: number },
    inside: Place,
  ): JsonValue | undefined {
    for (let tries = isUnique ? 50 + 10 * count : 1; tries > 0; tries--) {
      const item = this.make(schemas, inside);
      if (item === undefined) return undefined;
      const text = JSON.stringify(item);
      if (!isUnique || !known.has(text)) {
        known.add(text);
        return item;
      }
    }
    return undefined;
  }

  *#objects(parts: readonly JsonObject[], inside: Place): Generator<JsonValue> {
    const declared = new Set(
      parts.flatMap(({ properties }) => Object.keys(asObject(properties) ?? {})),
    );
    const required = requiredOf(parts);
    const demanding = new Set(
      parts.flatMap(({ dependentRequired, dependentSchemas, dependencies }) =>
        [dependentRequired, dependentSchemas, dependencies].flatMap((names) =>
          Object.keys(asObject(names) ?? {}),
        ),
      ),
    );
    const optional = [...declared].filter((name) => !required.has(name));
    const easy = optional.filter((name) => !demanding.has(name));
    const choices = this.#thrift.isFull ? [easy, [], optional] : [[], optional];
    const tried = new Set<number>();
    for (const chosen of choices) {
      // Each choice contains the smaller ones, so two choices of the same size are equal.
      if (tried.has(chosen.length)) continue;
      tried.add(chosen.length);
      const names = [...declared, ...required].filter(
        (name) => required.has(name) || chosen.includes(name),
      );
      const made = this.#object(new Set(names), required, { parts, inside });
      if (made !== undefined) yield made;
    }
  }

  #object(
    names: ReadonlySet<string>,
    required: ReadonlySet<string>,
    { parts, inside }: { readonly parts: readonly JsonObject[]; readonly inside: Place },
  ): JsonValue | undefined {
    const { least, most } = sizes(parts, "Properties");
    if (least > Math.min(most, mostEntries)) return undefined;
    const entries = new Map<string, JsonValue>();
    let free = most - required.size;
    for (const name of names) {
      if (!required.has(name) && free-- <= 0) continue;
      const value = this.make(propertySchemas(parts, name), inside);
      if (value !== undefined) entries.set(name, value);
      else if (required.has(name)) return undefined;
    }
    // An object with arbitrary names gets an entry, to show what its entries look like.
    const isDictionary =
      names.size === 0 && parts.some(({ additionalProperties }) => isObject(additionalProperties));
    const wanted = Math.min(most, isDictionary && this.#thrift.isFull ? Math.max(least, 1) : least);
    for (let tries = 20 + 10 * wanted; entries.size < wanted && tries > 0; tries--) {
      const name = this.#newName(parts, inside);
      if (name === undefined || entries.has(name)) continue;
      const value = this.make(propertySchemas(parts, name), inside);
      if (value !== undefined) entries.set(name, value);
    }
    return Object.fromEntries(entries);
  }

  /** Makes a name for a property that no schema declares. */
  #newName(parts: readonly JsonObject[], inside: Place): string | undefined {
    const named = parts.flatMap(({ propertyNames }) =>
      propertyNames === undefined ? [] : [schemaIn(propertyNames)],
    );
    const patterns = parts.flatMap(({ patternProperties }) =>
      Object.keys(asObject(patternProperties) ?? {}),
    );
    if (patterns.length > 0) {
      const [pattern = ""] = this.#fromAny(patterns);
      const [text = ""] = textsFor([{ pattern }], this.#random);
      // Most patterns only describe the beginning of a name.
      const longer = text + anyWord(this.#random);
      return new RegExp(pattern, "u").test(longer) ? longer : text;
    }
    if (named.length === 0) return anyWord(this.#random);
    const name = this.make([...named, { type: "string" }], inside);
    return typeof name === "string" ? name : undefined;
  }

  /** The items in their order, but starting from a random one. */
  readonly #fromAny = <Item>(items: readonly Item[]): readonly Item[] => {
    const first = Math.floor(this.#random() * items.length);
    return [...items.slice(first), ...items.slice(0, first)];
  };
}

interface Filling {
  readonly count: number;
  /** Schemas of `contains`, which the first items must fit, too. */
  readonly held: readonly SubSchema[];
  readonly isUnique: boolean;
}

function sizes(
  parts: readonly JsonObject[],
  of: "Items" | "Properties",
): { readonly least: number; readonly most: number } {
  const given = (keyword: string): number[] =>
    parts.map((part) => part[keyword]).filter((value) => typeof value === "number");
  return {
    least: Math.max(...given(`min${of}`), 0),
    most: Math.min(...given(`max${of}`), Infinity),
  };
}

function placesOf({ prefixItems, items }: JsonObject): readonly unknown[] {
  const listed: unknown = Array.isArray(prefixItems) ? prefixItems : items;
  return Array.isArray(listed) ? listed : [];
}

function itemSchema(part: JsonObject, place: number): SubSchema {
  const listed = placesOf(part);
  const { items, additionalItems, unevaluatedItems } = part;
  const rest = Array.isArray(items) ? additionalItems : (items ?? unevaluatedItems);
  return schemaIn(place < listed.length ? listed[place] : rest);
}

/** The schemas that apply to a property. */
function propertySchemas(parts: readonly JsonObject[], name: string): readonly SubSchema[] {
  return parts.flatMap((part) => {
    const { properties, patternProperties, additionalProperties, unevaluatedProperties } = part;
    const declared = asObject(properties) ?? {};
    const found = Object.entries(asObject(patternProperties) ?? {})
      .filter(([pattern]) => new RegExp(pattern, "u").test(name))
      .map(([, schema]) => schema);
    if (Object.hasOwn(declared, name)) found.push(declared[name]);
    const rest = additionalProperties ?? unevaluatedProperties;
    return (found.length > 0 ? found : [rest]).map(schemaIn);
  });
}

/** The required properties, and those that they require in turn. */
function requiredOf(parts: readonly JsonObject[]): ReadonlySet<string> {
  const names = new Set(parts.flatMap(({ required }) => textsIn(required)));
  // The loop also visits names that are added while it runs.
  for (const name of names) {
    for (const { dependentRequired, dependencies } of parts) {
      for (const needs of [dependentRequired, dependencies]) {
        for (const needed of textsIn(asObject(needs)?.[name])) names.add(needed);
      }
    }
  }
  return names;
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

const allTypes = ["string", "number", "boolean", "array", "object"];

/** The types that keywords belong to, for schemas without a type. */
const typeHints: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  [
    "object",
    [
      "properties",
      "required",
      "additionalProperties",
      "patternProperties",
      "propertyNames",
      "minProperties",
    ],
  ],
  ["array", ["items", "prefixItems", "contains", "minItems", "uniqueItems"]],
  ["string", ["minLength", "maxLength", "pattern", "format"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

/** The types that all of these schemas allow. Undefined: no schema names a type. */
function typesOf(parts: readonly JsonObject[]): readonly string[] | undefined {
  const lists = parts.flatMap(({ type }) => {
    const names = typeof type === "string" ? [type] : textsIn(type);
    return names.length === 0 ? [] : [names];
  });
  const [first, ...others] = lists;
  return others.reduce<readonly string[] | undefined>(
    (left, right) =>
      left?.flatMap((one) => {
        if (right.includes(one) || (one === "integer" && right.includes("number"))) return [one];
        return one === "number" && right.includes("integer") ? ["integer"] : [];
      }),
    first,
  );
}

/** All types, beginning with those that the schemas' keywords belong to. */
function likelyTypes(parts: readonly JsonObject[]): readonly string[] {
  const spokenOf = typeHints
    .filter(([, keywords]) =>
      parts.some((part) => keywords.some((keyword) => part[keyword] !== undefined)),
    )
    .map(([type]) => type);
  return [...new Set([...spokenOf, ...allTypes])];
}
