import { isObject } from "./json.ts";
import { textOf } from "./values.ts";
import { type JsonSchema, type Refer, type Schema } from "./schema.ts";

/** A key of an object: the schema of its value, and whether it is required. */
export interface ObjectKey<Value, Required extends boolean> {
  readonly schema: Schema<Value>;
  readonly isRequired: Required;
  /** The description in editors. */
  readonly description: string | undefined;
}

/** An optional key. Without a description, its JSON Schema is a reference to the value's schema. */
export function optional<Value>(
  schema: Schema<Value>,
  description?: string,
): ObjectKey<Value, false> {
  return { schema, isRequired: false, description };
}

/** A required key. */
export function required<Value>(
  schema: Schema<Value>,
  description?: string,
): ObjectKey<Value, true> {
  return { schema, isRequired: true, description };
}

/** The keys of an object by name. */
export type Keys = Readonly<Record<string, ObjectKey<unknown, boolean>>>;
type ValueAt<K> = K extends ObjectKey<infer Value, boolean> ? Value : never;

/** The type of an object with these keys. */
type ObjectOf<Of extends Keys> = {
  readonly [Name in keyof Of as Of[Name] extends ObjectKey<unknown, true> ? Name : never]: ValueAt<
    Of[Name]
  >;
} & {
  readonly [Name in keyof Of as Of[Name] extends ObjectKey<unknown, true> ? never : Name]?: ValueAt<
    Of[Name]
  >;
};

/** How strictly an object's keys are checked. */
export interface ObjectOptions {
  /** Whether to accept other keys. */
  readonly isOpen?: boolean;
  /** Whether null counts as missing. */
  readonly nullIsAbsent?: boolean;
}

/** An object with these keys and no others. Reports all unknown and all missing keys. */
export function closedObject<const Of extends Keys>(keys: Of): Schema<ObjectOf<Of>> {
  return object(keys, {});
}

/** An object with these keys; `options` decide about others. */
export function object<const Of extends Keys>(
  keys: Of,
  { isOpen = false, nullIsAbsent = false }: ObjectOptions,
): Schema<ObjectOf<Of>> {
  const entries: readonly [string, ObjectKey<unknown, boolean>][] = Object.entries(keys);
  const valid = Object.keys(keys);
  const jsonOf = (key: ObjectKey<unknown, boolean>, refer: Refer): JsonSchema => {
    const json = keyJson(key, refer);
    return nullIsAbsent && !key.isRequired ? { anyOf: [json, { type: "null" }] } : json;
  };
  return {
    check: (value, run) => {
      if (!isObject(value)) return run.mustBe("an object", value);
      const unknown = isOpen ? none : Object.keys(value).filter((key) => !Object.hasOwn(keys, key));
      for (const [name, { schema, isRequired }] of entries) {
        const isThere = Object.hasOwn(value, name) && !(nullIsAbsent && value[name] === null);
        if (isThere) run.checkPart(schema, value[name], name);
        else if (isRequired) run.report({ kind: "missing", key: name, unknown });
      }
      if (unknown.length > 0) run.report({ kind: "unknown", keys: unknown, valid });
    },
    json: (refer) => ({
      type: "object",
      properties: Object.fromEntries(entries.map(([name, key]) => [name, jsonOf(key, refer)])),
      required: entries.flatMap(([name, { isRequired }]) => (isRequired ? [name] : [])),
      ...(isOpen ? {} : { additionalProperties: false }),
    }),
  };
}

const none: readonly string[] = [];

function keyJson({ schema, description }: ObjectKey<unknown, boolean>, refer: Refer): JsonSchema {
  return description === undefined ? refer(schema) : { ...schema.json(refer), description };
}

/** An object with keys that the user chooses, which must not be empty. */
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

/** The most keys of an object with arbitrary keys, and their greatest length. */
interface KeyLimits {
  readonly mostKeys?: number;
  readonly longestKey?: number;
}

/** An object with arbitrary keys, whose values have the same schema. */
export function dictionary<Value>(
  item: Schema<Value>,
  { mostKeys = Infinity, longestKey = Infinity }: KeyLimits = {},
): Schema<Record<string, Value>> {
  const key: Schema<string> = textOf({ most: longestKey });
  return {
    check: (value, run) => {
      if (!isObject(value)) return run.mustBe("an object", value);
      const names = Object.keys(value);
      const { length } = names;
      if (length > mostKeys) {
        run.report({ kind: "long", of: "properties", length, most: mostKeys });
      }
      for (const name of names) {
        run.checkPart(key, name, name);
        run.checkPart(item, value[name], name);
      }
    },
    json: (refer) => ({
      type: "object",
      ...(mostKeys === Infinity ? {} : { maxProperties: mostKeys }),
      ...(longestKey === Infinity ? {} : { propertyNames: key.json(refer) }),
      additionalProperties: refer(item),
    }),
  };
}
