import { documentBody } from "../../../src/core/chat/request/fields.ts";
import {
  fixturesJsonSchema,
  referTo,
} from "../../../src/core/fixture-set/format/fixtures-json-schema.ts";
import { asObject, type JsonObject } from "../../../src/core/schema/json.ts";

const format = fixturesJsonSchema();

/** The objects that a JSON Schema allows, references and alternatives followed. */
function objectsOf(schema: unknown): readonly JsonObject[] {
  const { $ref, anyOf, ...own } = asObject(schema) ?? {};
  if (typeof $ref === "string") return objectsAt(...$ref.split("/").slice(1));
  return [own, ...(Array.isArray(anyOf) ? anyOf.flatMap(objectsOf) : [])];
}

/** The objects at the end of a way through the format. */
function objectsAt(...way: readonly string[]): readonly JsonObject[] {
  const whole: readonly JsonObject[] = [format];
  return way.reduce(
    (objects, step) => objects.flatMap((object) => (step in object ? objectsOf(object[step]) : [])),
    whole,
  );
}

/** The keys of the objects there, each once. */
export function keysAt(...way: readonly string[]): readonly string[] {
  // The properties themselves are no schema: a key may be called `anyOf`.
  const keys = objectsAt(...way).flatMap(({ properties }) =>
    Object.keys(asObject(properties) ?? {}),
  );
  return [...new Set(keys)];
}

function isOnlyChecked({ description }: JsonObject): boolean {
  return description === "Checked, without effect.";
}

/** The fields of a chat request whose description promises an effect. */
export function fieldsWithEffect(): readonly string[] {
  const { properties } = documentBody.json(referTo("#/$defs"));
  return Object.entries(asObject(properties) ?? {}).flatMap(([name, field]) =>
    [asObject(field) ?? {}, ...objectsOf(field)].some(isOnlyChecked) ? [] : [name],
  );
}
