import { didYouMean } from "../errors/nearest-name.ts";
import { showText, showValue } from "../store/json-value.ts";
import { quoteList } from "../fixture-set/quote.ts";
import { isObject } from "./is-object.ts";
import { unknownKey } from "./object-schemas.ts";
import type { Schema, ValueOf } from "./schema.ts";

/** One of these texts. */
export function oneOf<const Option extends string>(options: readonly Option[]): Schema<Option> {
  const names: readonly string[] = options;
  return {
    check: (value, run) => {
      if (typeof value === "string" && names.includes(value)) return;
      const nearest = typeof value === "string" ? didYouMean(value, names) : "";
      run.refuse(`Expected ${quoteList(names)}, but found ${showValue(value)}.${nearest}`);
    },
    json: () => ({ enum: options, type: "string" }),
  };
}

/**
 * One of several schemas, chosen by looking at the value, so that problems are those of the one that is meant.
 * `choose` returns its place, or nothing when the value is not `what` at all.
 */
export function choice<const Options extends readonly Schema<unknown>[]>(
  options: Options,
  what: string,
  choose: (value: unknown) => number | undefined,
): Schema<ValueOf<Options[number]>> {
  return {
    check: (value, run) => {
      const index = choose(value);
      const schema = index === undefined ? undefined : options[index];
      if (schema === undefined) run.mustBe(what, value);
      else schema.check(value, run);
    },
    json: (refer) => ({ anyOf: options.map(refer) }),
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
