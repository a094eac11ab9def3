import { failed, ok, type Result } from "../errors/result.ts";

/** Any JSON value. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** A JSON object with unknown values. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object, and not an array or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether an object is not an instance of a class. Objects of another realm, such as a test environment's, have another
 * `Object.prototype`.
 */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A value as a JSON object; undefined if it is not one. */
export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** The value of a JSON text; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  const read = parseJsonText(text);
  return read.ok ? read.value : undefined;
}

/** The value of a JSON text, or the runtime's message if the text is not JSON. */
export function parseJsonText(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/** Whether a field has a value. Clients send null for missing values. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A place in a document: keys and indexes from its root. */
export type JsonPath = readonly (string | number)[];

const plainName = /^[A-Za-z_$][\w$]*$/;

/** A path as people write it: `tables.users.rows[3].email`, `tables["my table"]`. */
export function showPath(path: JsonPath): string {
  let shown = "";
  for (const step of path) {
    if (typeof step === "number") shown += `[${step}]`;
    else if (!plainName.test(step)) shown += `[${JSON.stringify(step)}]`;
    else shown += shown === "" ? step : `.${step}`;
  }
  return shown;
}

/** Removes members that are undefined, which an exact optional type does not allow. */
export function defined<Values extends object>(values: Values): Defined<Values> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<Values>;
}

type Defined<Values> = {
  [Key in keyof Values as undefined extends Values[Key] ? never : Key]: Values[Key];
} & {
  [Key in keyof Values as undefined extends Values[Key] ? Key : never]?: Exclude<
    Values[Key],
    undefined
  >;
};
