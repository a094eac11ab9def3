/** Anything that JSON can say. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** A JSON object whose values are not known to be anything. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object, and not an array or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as a JSON object; undefined when it is none. */
export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** Whether a field is there. Clients send null for what they leave out. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Where in a document: keys and indices from its root. */
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

/** Without the members that are undefined, which optional members of an exact type cannot be. */
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
