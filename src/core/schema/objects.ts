import { didYouMean, nearestName } from "../errors/nearest-name.ts";
import { quoteList, showText } from "../errors/show.ts";
import { isObject } from "./json.ts";
import type { JsonSchema, Refer, Schema, ValueOf } from "./schema.ts";

/** What to do about a key that does not exist: the nearest, or all there are. */
export function unknownKey(key: string, valid: readonly string[]): string {
  const nearest = didYouMean(key, valid);
  const advice = nearest === "" ? ` Keys here: ${quoteList(valid, "and")}.` : nearest;
  return `Unknown key ${showText(key)}.${advice}`;
}

/** A key of an object: what its value is, and whether it must be there. */
export interface Key<Value, Required extends boolean> {
  readonly schema: Schema<Value>;
  readonly isRequired: Required;
  /** What editors show. */
  readonly description: string | undefined;
}

/** A key that may be left out. Without a description, the JSON Schema refers to its value's and does not repeat it. */
export function optional<Value>(schema: Schema<Value>, description?: string): Key<Value, false> {
  return { schema, isRequired: false, description };
}

/** A key that must be there. */
export function required<Value>(schema: Schema<Value>, description: string): Key<Value, true> {
  return { schema, isRequired: true, description };
}

type Keys = Readonly<Record<string, Key<unknown, boolean>>>;
type ValueAt<K> = K extends Key<infer Value, boolean> ? Value : never;

/** The type of an object with these keys. */
type ObjectOf<Of extends Keys> = {
  readonly [Name in keyof Of as Of[Name] extends Key<unknown, true> ? Name : never]: ValueAt<
    Of[Name]
  >;
} & {
  readonly [Name in keyof Of as Of[Name] extends Key<unknown, true> ? never : Name]?: ValueAt<
    Of[Name]
  >;
};

/** An object that has these keys and no others. All unknown and all missing keys are reported. */
export function closedObject<const Of extends Keys>(keys: Of): Schema<ObjectOf<Of>> {
  const entries: readonly [string, Key<unknown, boolean>][] = Object.entries(keys);
  const valid = Object.keys(keys);
  return {
    check: (value, run) => {
      if (!isObject(value)) return run.mustBe("an object", value);
      const unknown = Object.keys(value).filter((key) => !Object.hasOwn(keys, key));
      for (const [name, { schema, isRequired }] of entries) {
        if (Object.hasOwn(value, name)) run.checkPart(schema, value[name], name);
        // A misspelt required key is one problem, not two.
        else if (isRequired && !unknown.some((other) => nearestName(other, [name]))) {
          run.refuse(`The key ${showText(name)} is missing.`);
        }
      }
      for (const key of unknown) run.refuse(unknownKey(key, valid), key);
    },
    json: (refer) => ({
      type: "object",
      properties: Object.fromEntries(entries.map(([name, key]) => [name, keyJson(key, refer)])),
      required: entries.flatMap(([name, { isRequired }]) => (isRequired ? [name] : [])),
      additionalProperties: false,
    }),
  };
}

function keyJson({ schema, description }: Key<unknown, boolean>, refer: Refer): JsonSchema {
  return description === undefined ? refer(schema) : { ...schema.json(refer), description };
}

/** An object whose keys are names that the user chose. They may not be empty. */
export function namedValues<Value>(item: Schema<Value>): Schema<Record<string, Value>> {
  return {
    check: (value, run) => {
      if (!isObject(value)) return run.mustBe("an object", value);
      for (const [name, part] of Object.entries(value)) {
        if (name === "") run.refuse("A name must not be empty.", name);
        run.checkPart(item, part, name);
      }
    },
    json: (refer) => ({
      type: "object",
      propertyNames: { type: "string" },
      additionalProperties: refer(item),
    }),
  };
}

/** The key that each object of a `byLeadKey` has, and the schema of that object. */
type LeadSchemas = Readonly<Record<string, Schema<unknown>>>;

/** One of several objects, told apart by a key that only one of them has. */
export function byLeadKey<const Schemas extends LeadSchemas>(
  schemas: Schemas,
): Schema<ValueOf<Schemas[keyof Schemas]>> {
  const leads = Object.keys(schemas);
  return {
    check: (value, run) => {
      if (!isObject(value)) return run.mustBe("an object", value);
      const keys = Object.keys(value);
      const [lead, another] = keys.filter((key) => leads.includes(key));
      const schema = lead === undefined ? undefined : schemas[lead];
      if (schema === undefined) {
        for (const key of keys) run.refuse(unknownKey(key, leads), key);
        if (keys.length === 0) run.refuse(`One of ${quoteList(leads)} is missing.`);
      } else if (another === undefined) {
        schema.check(value, run);
      } else {
        const message = `Only one of ${quoteList(leads)} can be given, but ${showText(String(lead))} is too.`;
        run.refuse(message, another);
      }
    },
    json: (refer) => ({ anyOf: Object.values(schemas).map(refer) }),
  };
}
