/** Anything that JSON can say. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** Whether a JSON value is an object, and not an array or null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
