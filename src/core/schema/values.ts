import { showValue } from "../errors/show.ts";
import type { JsonValue } from "./json.ts";
import type { Bounds, Schema, ValueOf } from "./schema.ts";

/** Any text. */
export const text: Schema<string> = {
  check: (value, run) => {
    if (typeof value !== "string") run.mustBe("a text", value);
  },
  json: () => ({ type: "string" }),
};

/** A text that is not empty. */
export const nonEmptyText: Schema<string> = {
  check: (value, run) => {
    if (value === "") run.mustNotBeEmpty();
    else text.check(value, run);
  },
  json: () => ({ type: "string", minLength: 1 }),
};

/** A text of a certain form. `expected` starts a sentence, such as `Expected a date`. */
export function textLike(pattern: RegExp, expected: string): Schema<string> {
  return {
    check: (value, run) => {
      if (typeof value !== "string") run.mustBe("a text", value);
      else if (!pattern.test(value)) run.refuse(`${expected}, but found ${showValue(value)}.`);
    },
    json: () => ({ type: "string", pattern: pattern.source }),
  };
}

/** The form of a text. */
interface TextLimits {
  readonly most?: number;
  readonly pattern?: RegExp;
  /** The pattern in words. */
  readonly form?: string;
}

/** A text of a form and length. */
export function textOf({ most = Infinity, pattern, form = "" }: TextLimits): Schema<string> {
  return {
    check: (value, run) => {
      if (typeof value !== "string") return run.mustBe("a text", value);
      const { length } = value;
      if (length > most) run.report({ kind: "long", of: "characters", length, most });
      else if (pattern?.test(value) === false) {
        run.report({ kind: "form", expected: form, value, pattern: pattern.source });
      }
    },
    json: () => ({
      type: "string",
      ...(most === Infinity ? {} : { maxLength: most }),
      ...(pattern === undefined ? {} : { pattern: pattern.source }),
    }),
  };
}

/** One of these texts. */
export function oneOf<const Option extends string>(options: readonly Option[]): Schema<Option> {
  const names: readonly string[] = options;
  return {
    check: (value, run) => {
      if (typeof value === "string" && names.includes(value)) return;
      run.report({ kind: "choice", options, value });
    },
    json: () => ({ enum: options, type: "string" }),
  };
}

/** True or false. */
export const flag: Schema<boolean> = {
  check: (value, run) => {
    if (typeof value !== "boolean") run.mustBe("true or false", value);
  },
  json: () => ({ type: "boolean" }),
};

/** A number within bounds. */
export function number(bounds: Bounds): Schema<number> {
  const { whole = false, integer = false, least, most, above } = bounds;
  return {
    check: (value, run) => {
      const fits =
        typeof value === "number" &&
        (!whole || Number.isSafeInteger(value)) &&
        (!integer || Number.isInteger(value)) &&
        value >= (least ?? -Infinity) &&
        value <= (most ?? Infinity) &&
        (above === undefined || value > above);
      if (!fits) run.report({ kind: "number", bounds, value });
    },
    json: () => {
      const minimum = least ?? (whole ? Number.MIN_SAFE_INTEGER : undefined);
      const maximum = most ?? (whole ? Number.MAX_SAFE_INTEGER : undefined);
      return {
        type: whole || integer ? "integer" : "number",
        ...(minimum === undefined ? {} : { minimum }),
        ...(maximum === undefined ? {} : { maximum }),
        ...(above === undefined ? {} : { exclusiveMinimum: above }),
      };
    },
  };
}

export const wholeNumber: Schema<number> = number({ whole: true });
export const count: Schema<number> = number({ whole: true, least: 0 });
export const positiveCount: Schema<number> = number({ whole: true, least: 1 });
export const milliseconds: Schema<number> = number({ least: 0 });

/** Any JSON value. Needs no check, since values that are checked have come from JSON. */
export const jsonValue: Schema<JsonValue> = { check: () => undefined, json: () => ({}) };

/** A value, or null. */
export function nullable<Value>(schema: Schema<Value>): Schema<Value | null> {
  return {
    check: (value, run) => {
      if (value !== null) schema.check(value, run);
    },
    json: (refer) => ({ anyOf: [refer(schema), { type: "null" }] }),
  };
}

/** An array of items. */
export function arrayOf<Item>(item: Schema<Item>): Schema<Item[]> {
  return {
    check: (value, run) => {
      if (!Array.isArray(value)) return run.mustBe("an array", value);
      // Every row of a large file passes here: `entries` would make an array for each.
      for (let at = 0; at < value.length; at++) run.checkPart(item, value[at], at);
    },
    json: (refer) => ({ type: "array", items: refer(item) }),
  };
}

/** An array with at least one item and at most a number of them. */
export function nonEmptyArray<Item>(item: Schema<Item>, most: number = Infinity): Schema<Item[]> {
  const array = arrayOf(item);
  return {
    check: (value, run) => {
      const length = Array.isArray(value) ? value.length : 1;
      if (length === 0) run.mustNotBeEmpty();
      else if (length > most) run.report({ kind: "long", of: "items", length, most });
      array.check(value, run);
    },
    json: (refer) => ({
      ...array.json(refer),
      minItems: 1,
      ...(most === Infinity ? {} : { maxItems: most }),
    }),
  };
}

/**
 * One of several schemas, chosen by the value, so that its problems fit the intended schema. `choose` returns an index,
 * or nothing if the value is not `what` at all.
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

type Kind = "string" | "number" | "boolean" | "array" | "object";

/** One of several schemas, chosen by the value's kind; `what` lists the kinds. */
export function byKind<const Schemas extends Readonly<Partial<Record<Kind, Schema<unknown>>>>>(
  what: string,
  schemas: Schemas,
): Schema<ValueOf<Schemas[keyof Schemas]>> {
  const kinds = Object.keys(schemas);
  const options = Object.values<Schema<unknown>>(schemas);
  const chosen = choice(options, what, (value) => {
    const kind = Array.isArray(value) ? "array" : typeof value;
    const place = value === null ? -1 : kinds.indexOf(kind);
    return place === -1 ? undefined : place;
  });
  return { check: chosen.check, json: chosen.json };
}

/** A value that is or contains a key or a token: no message shows it. */
export function secret<Value>(schema: Schema<Value>): Schema<Value> {
  return {
    check: (value, run) => {
      schema.check(value, {
        report: (issue) => run.report(issue),
        refuse: (message, key) => run.refuse(message, key),
        mustBe: (what) => run.mustBe(what),
        mustNotBeEmpty: () => run.mustNotBeEmpty(),
        checkPart: (part, item, key) => run.checkPart(secret(part), item, key),
      });
    },
    json: schema.json,
  };
}

/** A schema that is made later, since it contains itself. */
export function lazy<Value>(schema: () => Schema<Value>): Schema<Value> {
  return {
    check: (value, run) => schema().check(value, run),
    json: (refer) => refer(schema()),
  };
}

/** A text. The values in `nothing` count as missing. */
export function orMissing(schema: Schema<string>, nothing: readonly unknown[]): Schema<string> {
  return {
    check: (value, run) => {
      if (nothing.includes(value)) run.report({ kind: "missing" });
      else schema.check(value, run);
    },
    json: (refer) => ({ ...schema.json(refer), minLength: 1 }),
  };
}
