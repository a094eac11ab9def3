import { type Bounds, chatErrors } from "../errors.ts";
import { type Shape, wrongType, wrongValue } from "./shape.ts";

/** What a text has to be. */
interface TextForm {
  /** The most characters that it can have. */
  readonly most?: number;
  readonly pattern?: RegExp;
  /** The pattern in words. */
  readonly form?: string;
}

/** A text. */
export function text({ most = Infinity, pattern, form = "of another form" }: TextForm = {}): Shape {
  return (value) => {
    if (typeof value !== "string") return wrongType("a string", value);
    if (value.length > most) {
      return wrongValue((path) => chatErrors.textTooLong(path, value.length, most));
    }
    if (pattern === undefined || pattern.test(value)) return undefined;
    return wrongValue((path) => chatErrors.wrongForm(path, value, form));
  };
}

/** True or false. */
export const flag: Shape = (value) =>
  typeof value === "boolean" ? undefined : wrongType("true or false", value);

/** A number within bounds. */
export function number(bounds: Bounds): Shape {
  const { kind, least, greatest = Infinity } = bounds;
  const expected = kind === "integer" ? "a whole number" : "a number";
  return (value) => {
    if (typeof value !== "number" || (kind === "integer" && !Number.isInteger(value))) {
      return wrongType(expected, value);
    }
    if (value >= least && value <= greatest) return undefined;
    return wrongValue((path) => chatErrors.outOfRange(path, value, bounds));
  };
}

/** One of a few texts. */
export function oneOf(choices: readonly string[]): Shape {
  return (value) => {
    if (typeof value !== "string") return wrongType("a string", value);
    if (choices.includes(value)) return undefined;
    return wrongValue((path) => chatErrors.wrongValue(path, value, choices));
  };
}

/** Null, or a value of a shape. */
export function nullable(shape: Shape): Shape {
  return (value) => (value === null ? undefined : shape(value));
}

/** A value of any kind. */
export const anything: Shape = () => undefined;
