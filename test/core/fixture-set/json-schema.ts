import { readFileSync } from "node:fs";

type Schema = Readonly<Record<string, unknown>>;

/** The committed JSON Schema. */
export const schemaText: string = readFileSync(
  new URL("../../../fixtures.schema.json", import.meta.url),
  "utf8",
);

const root: Schema = JSON.parse(schemaText);

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};

function entries(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function definition(reference: string): unknown {
  const name = reference.replace("#/$defs/", "");
  return entries(root["$defs"]).find(([key]) => key === name)?.[1];
}

/** What each keyword that the schema uses demands. An unknown keyword fails, so that none is passed over. */
const keywords: Readonly<
  Record<string, (value: unknown, demand: unknown, schema: Schema) => boolean>
> = {
  $schema: () => true,
  $defs: () => true,
  title: () => true,
  description: () => true,
  $ref: (value, demand) => accepts(value, definition(String(demand))),
  type: (value, demand) => [demand].flat().some((type) => types[String(type)]?.(value) === true),
  enum: (value, demand) => list(demand).includes(value),
  allOf: (value, demand) => list(demand).every((part) => accepts(value, part)),
  anyOf: (value, demand) => list(demand).some((option) => accepts(value, option)),
  oneOf: (value, demand) => list(demand).filter((option) => accepts(value, option)).length === 1,
  not: (value, demand) => !accepts(value, demand),
  items: (value, demand) => list(value).every((item) => accepts(item, demand)),
  minProperties: (value, demand) =>
    types["object"]?.(value) !== true || entries(value).length >= Number(demand),
  minItems: (value, demand) => !Array.isArray(value) || value.length >= Number(demand),
  maxItems: (value, demand) => !Array.isArray(value) || value.length <= Number(demand),
  minLength: (value, demand) => typeof value !== "string" || value.length >= Number(demand),
  pattern: (value, demand) => typeof value !== "string" || new RegExp(String(demand)).test(value),
  minimum: (value, demand) => typeof value !== "number" || value >= Number(demand),
  maximum: (value, demand) => typeof value !== "number" || value <= Number(demand),
  exclusiveMinimum: (value, demand) => typeof value !== "number" || value > Number(demand),
  required: (value, demand) =>
    list(demand).every((key) => entries(value).some(([name]) => name === key)),
  properties: (value, demand) =>
    entries(demand).every(([key, schema]) =>
      entries(value).every(([name, item]) => name !== key || accepts(item, schema)),
    ),
  propertyNames: (value, demand) => entries(value).every(([name]) => accepts(name, demand)),
  additionalProperties: (value, demand, schema) => {
    const known = new Set(entries(schema["properties"]).map(([name]) => name));
    const others = entries(value).filter(([name]) => !known.has(name));
    return demand === false
      ? others.length === 0
      : others.every(([, item]) => accepts(item, demand));
  },
};

/** Whether a value fits a schema: as much of JSON Schema as `fixtures.schema.json` uses. */
function accepts(value: unknown, schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) throw new Error("no schema");
  const whole: Schema = Object.fromEntries(Object.entries(schema));
  return entries(whole).every(([keyword, demand]) => {
    const check = keywords[keyword];
    if (check === undefined) throw new Error(`unknown keyword ${keyword}`);
    return check(value, demand, whole);
  });
}

/** Whether the committed JSON Schema takes a document. */
export function schemaAccepts(document: unknown): boolean {
  return accepts(document, root);
}
