import { quoteList, showText } from "../errors/show.ts";
import { isObject } from "./json.ts";
import type { ObjectOptions } from "./objects.ts";
import { type JsonSchema, type Schema, unknownKey, type ValueOf } from "./schema.ts";
import { oneOf, textOf } from "./values.ts";

/** Schemas of objects, each under the key that only this object has. */
type LeadSchemas = Readonly<Record<string, Schema<unknown>>>;

/** One of several objects, each identified by a key that only it has. */
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
        const message = `Give only one of ${quoteList(leads)}: ${showText(String(lead))} is one too many.`;
        run.refuse(message, another);
      }
    },
    json: (refer) => anyOfThese(Object.values(schemas).map(refer)),
  };
}

/** One of several objects, identified by the text at the key `tag`, such as `type`. */
export function byTag<Value>(
  tag: string,
  schemas: Readonly<Record<string, Schema<Value>>>,
  { nullIsAbsent = false }: Pick<ObjectOptions, "nullIsAbsent"> = {},
): Schema<Value> {
  const byName = new Map(Object.entries(schemas));
  const name: Schema<string> = textOf({});
  const known: Schema<string> = oneOf([...byName.keys()]);
  return {
    check: (value, run) => {
      if (!isObject(value)) return run.mustBe("an object", value);
      const found = value[tag];
      if (found === undefined || (nullIsAbsent && found === null)) {
        return run.report({ kind: "missing", key: tag });
      }
      if (typeof found !== "string") return run.checkPart(name, found, tag);
      const schema = byName.get(found);
      if (schema === undefined) run.checkPart(known, found, tag);
      else schema.check(value, run);
    },
    json: (refer) =>
      anyOfThese(
        [...byName].map(([found, schema]) => ({
          ...refer(schema),
          properties: { ...propertiesOf(schema.json(refer)), [tag]: { const: found } },
          required: [...new Set([tag, ...requiredOf(schema.json(refer))])],
        })),
      ),
  };
}

/** A choice of schemas, or the schema itself if there is only one. */
function anyOfThese(schemas: readonly JsonSchema[]): JsonSchema {
  const [only, ...others] = schemas;
  return only !== undefined && others.length === 0 ? only : { anyOf: schemas };
}

function propertiesOf({ properties }: JsonSchema): object {
  return typeof properties === "object" && properties !== null ? properties : {};
}

function requiredOf({ required: names }: JsonSchema): readonly unknown[] {
  return Array.isArray(names) ? names : [];
}
