import { isStandardSchema, type StandardSchema } from "./standard-schema.ts";

/** A `Collection` of `@msw/data` as it is used here: its own schema judges what it is given. */
export interface LiveCollection {
  /** The array in which the collection keeps its records, in the order of their making. */
  readonly all: () => object[];
  readonly create: (values: object) => Promise<object>;
  readonly update: (
    record: object,
    options: { readonly data: (draft: object) => void },
  ) => Promise<object | undefined>;
  readonly delete: (record: object) => unknown;
}

/** A collection and the schema that it was made with. */
export interface CollectionSource {
  readonly collection: LiveCollection;
  readonly schema: StandardSchema;
}

/** Recognises a collection by what it can do; undefined for everything else. */
export function collectionSource(value: unknown): CollectionSource | undefined {
  if (!isLiveCollection(value)) return undefined;
  // Declared private in TypeScript, and the only place where the schema is to be had.
  const options: unknown = Reflect.get(value, "options");
  const schema: unknown = isObject(options) ? Reflect.get(options, "schema") : undefined;
  return isStandardSchema(schema) ? { collection: value, schema } : undefined;
}

const methods = ["all", "create", "update", "delete"];

function isLiveCollection(value: unknown): value is LiveCollection {
  if (!isObject(value)) return false;
  if (methods.some((name) => typeof Reflect.get(value, name) !== "function")) return false;
  const all: unknown = Reflect.get(value, "all");
  if (typeof all !== "function") return false;
  const records: unknown = Reflect.apply(all, value, []);
  // Snapshots are put back into this array, so it must be the collection's own and no copy.
  return Array.isArray(records) && records === Reflect.apply(all, value, []);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
