import { asObject, type JsonObject } from "../../schema/json.ts";
import { type ChatError, chatErrors } from "../errors.ts";
import {
  atIndex,
  atKey,
  earlier,
  isFirst,
  missing,
  type Problem,
  type Shape,
  stages,
  wrongType,
  wrongValue,
} from "./shape.ts";

/** What an object has at a key. */
export interface Field {
  readonly shape: Shape;
  /** The error when it is not there; undefined: it may be left out. */
  readonly absent: ((path: string) => ChatError) | undefined;
}

/** A field that has to be there. */
export function required(shape: Shape, absent: (path: string) => ChatError = missingError): Field {
  return { shape, absent };
}

function missingError(path: string): ChatError {
  return chatErrors.missing(path);
}

/** A field that may be left out. */
export function optional(shape: Shape): Field {
  return { shape, absent: undefined };
}

/** How objects are read where interfaces differ. */
export interface ObjectRules {
  /** Whether null is the same as nothing. */
  readonly nullIsAbsent: boolean;
  /** What is wrong with keys that no field has; undefined: nothing. */
  readonly strangers?: (names: readonly string[], known: Iterable<string>) => Problem;
}

/** An object with these fields. */
export function object(fields: Readonly<Record<string, Field>>, rules: ObjectRules): Shape {
  const entries = Object.entries(fields).map(([key, field]) => ({ key, ...field }));
  const known: ReadonlySet<string> = new Set(Object.keys(fields));
  const { nullIsAbsent, strangers } = rules;
  return (value) => {
    const given = asObject(value);
    if (given === undefined) return wrongType("an object", value);
    let first = strangers === undefined ? undefined : refuseStrangers(given, known, strangers);
    for (const { key, shape, absent } of entries) {
      const item = given[key];
      if (item !== undefined && !(nullIsAbsent && item === null)) {
        const found = shape(item);
        if (found !== undefined) first = earlier(first, atKey(key, found));
      } else if (absent !== undefined) {
        first = earlier(first, { stage: stages.missing, path: key, error: absent });
      }
      if (isFirst(first)) break;
    }
    return first;
  };
}

function refuseStrangers(
  given: JsonObject,
  known: ReadonlySet<string>,
  refuse: Exclude<ObjectRules["strangers"], undefined>,
): Problem | undefined {
  const names = Object.keys(given).filter((name) => !known.has(name));
  return names.length === 0 ? undefined : refuse(names, known);
}

/** An array of at least one item, or as many as `least` and `most` say. */
export function list(
  item: Shape,
  { least = 1, most = Infinity }: { readonly least?: 0 | 1; readonly most?: number } = {},
): Shape {
  return (value) => {
    if (!Array.isArray(value)) return wrongType("an array", value);
    const items: readonly unknown[] = value;
    let first = lengthProblem(items.length, least, most);
    for (let index = 0; index < items.length && !isFirst(first); index += 1) {
      const found = item(items[index]);
      if (found !== undefined) first = earlier(first, atIndex(index, found));
    }
    return first;
  };
}

function lengthProblem(length: number, least: number, most: number): Problem | undefined {
  if (length < least) return wrongValue(chatErrors.emptyArray);
  return length > most
    ? wrongValue((path) => chatErrors.arrayTooLong(path, length, most))
    : undefined;
}

/** How many keys a dictionary can have, and how long they can be. */
interface KeyLimits {
  readonly mostKeys?: number;
  readonly longestKey?: number;
}

/** An object of any keys whose values are alike. */
export function dictionary(
  item: Shape,
  { mostKeys = Infinity, longestKey = Infinity }: KeyLimits = {},
): Shape {
  return (value) => {
    const given = asObject(value);
    if (given === undefined) return wrongType("an object", value);
    const keys = Object.keys(given);
    let first =
      keys.length > mostKeys
        ? wrongValue((path) => chatErrors.tooManyProperties(path, keys.length, mostKeys))
        : undefined;
    for (const key of keys) {
      const tooLong =
        key.length > longestKey
          ? wrongValue((path) => chatErrors.textTooLong(path, key.length, longestKey))
          : undefined;
      const found = earlier(tooLong, item(given[key]));
      if (found !== undefined) first = earlier(first, atKey(key, found));
    }
    return first;
  };
}

/** An object whose shape is told by the text at a key, such as its `type`. */
export function variants(
  key: string,
  shapes: Readonly<Record<string, Shape>>,
  { nullIsAbsent }: Pick<ObjectRules, "nullIsAbsent">,
): Shape {
  const byName = new Map(Object.entries(shapes));
  const names = [...byName.keys()];
  return (value) => {
    const given = asObject(value);
    if (given === undefined) return wrongType("an object", value);
    const name = given[key];
    if (name === undefined || (nullIsAbsent && name === null)) return missing(key);
    if (typeof name !== "string") return atKey(key, wrongType("a string", name));
    const shape = byName.get(name);
    if (shape !== undefined) return shape(value);
    return atKey(
      key,
      wrongValue((path) => chatErrors.wrongValue(path, name, names)),
    );
  };
}

/** A text, an array or an object, each of a shape of its own; `what` says which there are. */
export function byKind(
  what: string,
  { string, array, object: other }: Partial<Record<"string" | "array" | "object", Shape>>,
): Shape {
  return (value) => {
    if (typeof value === "string" && string !== undefined) return string(value);
    if (Array.isArray(value) && array !== undefined) return array(value);
    if (other !== undefined && asObject(value) !== undefined) return other(value);
    return wrongType(what, value);
  };
}
