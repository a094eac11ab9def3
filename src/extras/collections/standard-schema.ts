/** What is wrong with a record, and where in it. */
export interface SchemaIssue {
  readonly message: string;
  /** Names of properties and positions in arrays, from the record on. */
  readonly path: readonly string[];
}

/** A record as a schema makes it of what it was given, or everything that is wrong with that. */
export type Validation =
  | { readonly ok: true; readonly value: object }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

/** A schema of any library that speaks Standard Schema (https://standardschema.dev). */
export interface StandardSchema {
  readonly "~standard": {
    readonly validate: (value: unknown) => unknown;
    /** Newer libraries tell what they describe. */
    readonly jsonSchema?: unknown;
  };
}

export function isStandardSchema(value: unknown): value is StandardSchema {
  // Some libraries' schemas are functions.
  const standard: unknown = isPart(value) ? Reflect.get(value, "~standard") : undefined;
  return isPart(standard) && typeof Reflect.get(standard, "validate") === "function";
}

function isPart(value: unknown): value is object {
  return typeof value === "function" || (typeof value === "object" && value !== null);
}

/** Has a schema judge a record. */
export async function validateRecord(schema: StandardSchema, record: object): Promise<Validation> {
  const result: unknown = await schema["~standard"].validate(record);
  if (!isPart(result)) return unclear("The schema gave no result.");
  const issues: unknown = Reflect.get(result, "issues");
  if (Array.isArray(issues)) return { ok: false, issues: issues.map(readIssue) };
  const value: unknown = Reflect.get(result, "value");
  return isPart(value) ? { ok: true, value } : unclear("The schema makes no object of it.");
}

function unclear(message: string): Validation {
  return { ok: false, issues: [{ message, path: [] }] };
}

function readIssue(issue: unknown): SchemaIssue {
  if (!isPart(issue)) return { message: String(issue), path: [] };
  const message: unknown = Reflect.get(issue, "message");
  const path: unknown = Reflect.get(issue, "path");
  return {
    message: typeof message === "string" ? message : "It does not fit the schema.",
    path: Array.isArray(path) ? path.map(segmentName) : [],
  };
}

/** A segment is a key, or an object that has one. */
function segmentName(segment: unknown): string {
  return String(isPart(segment) ? Reflect.get(segment, "key") : segment);
}
