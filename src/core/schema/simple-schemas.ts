import type { JsonValue } from "../store/value.ts";
import { showValue } from "../store/json-value.ts";
import type { Schema } from "./schema.ts";

/** Any text. */
export const text: Schema<string> = {
  check: (value, run) => {
    if (typeof value !== "string") run.mustBe("a text", value);
  },
  json: () => ({ type: "string" }),
};

/** A text that says something. */
export const nonEmptyText: Schema<string> = {
  check: (value, run) => {
    if (value === "") run.mustNotBeEmpty();
    else text.check(value, run);
  },
  json: () => ({ type: "string", minLength: 1 }),
};

/** A text of a certain form. `expected` is the beginning of a sentence, such as `Expected a date`. */
export function textLike(pattern: RegExp, expected: string): Schema<string> {
  return {
    check: (value, run) => {
      if (typeof value !== "string") run.mustBe("a text", value);
      else if (!pattern.test(value)) run.refuse(`${expected}, but found ${showValue(value)}.`);
    },
    json: () => ({ type: "string", pattern: pattern.source }),
  };
}

/** True or false. */
export const flag: Schema<boolean> = {
  check: (value, run) => {
    if (typeof value !== "boolean") run.mustBe("true or false", value);
  },
  json: () => ({ type: "boolean" }),
};

interface Bounds {
  readonly whole?: boolean;
  readonly least?: number;
  readonly most?: number;
  /** It must be more than this. */
  readonly above?: number;
}

/** A number within bounds. Of one number the first problem is enough: 0.5 need not be called too small as well. */
export function number(bounds: Bounds): Schema<number> {
  const { whole = false, least, most, above } = bounds;
  return {
    check: (value, run) => {
      if (typeof value !== "number") run.mustBe("a number", value);
      else if (whole && !Number.isSafeInteger(value)) run.mustBe("a whole number", value);
      else if (least !== undefined && value < least) run.mustBe(`${least} or more`, value);
      else if (most !== undefined && value > most) run.mustBe(`${most} or less`, value);
      else if (above !== undefined && value <= above) run.mustBe(`more than ${above}`, value);
    },
    json: () => {
      const minimum = least ?? (whole ? Number.MIN_SAFE_INTEGER : undefined);
      const maximum = most ?? (whole ? Number.MAX_SAFE_INTEGER : undefined);
      return {
        type: whole ? "integer" : "number",
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

/** Any JSON value: what is checked is one already. */
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
      if (!Array.isArray(value)) run.mustBe("an array", value);
      else for (const [index, part] of value.entries()) run.checkPart(item, part, index);
    },
    json: (refer) => ({ type: "array", items: refer(item) }),
  };
}

/** An array with at least one item. */
export function nonEmptyArray<Item>(item: Schema<Item>): Schema<Item[]> {
  const array = arrayOf(item);
  return {
    check: (value, run) => {
      if (Array.isArray(value) && value.length === 0) run.mustNotBeEmpty();
      else array.check(value, run);
    },
    json: (refer) => ({ ...array.json(refer), minItems: 1 }),
  };
}

/** A value that is, or has in it, a key or a token: no message shows it. */
export function secret<Value>(schema: Schema<Value>): Schema<Value> {
  return {
    check: (value, run) => {
      schema.check(value, {
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
