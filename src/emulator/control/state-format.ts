import {
  closedObject,
  namedValues,
  optional,
  required,
} from "../../fixtures/format/object-schemas.ts";
import { choice } from "../../fixtures/format/choice-schemas.ts";
import type { Schema } from "../../fixtures/format/schema.ts";
import {
  arrayOf,
  number,
  positiveCount,
  textLike,
  wholeNumber,
} from "../../fixtures/format/simple-schemas.ts";

const digits = textLike(/^-?\d{1,19}$/, "Expected a whole number as text");

/** A row id: a number, or its digits where no number is exact. */
const rowId: Schema<number | string> = choice(
  [wholeNumber, digits],
  "a whole number, or its digits",
  (value) => (typeof value === "string" ? 1 : 0),
);

/** What a state has besides models, tables and scripts. */
export interface Counters {
  /** Where the sequence of random numbers stands: four numbers. */
  readonly random?: readonly number[];
  /** How many requests each script has answered. */
  readonly matches?: Readonly<Record<string, number>>;
  /** The largest row id that each table has had. */
  readonly keys?: Readonly<Record<string, number | string>>;
  /** Where the limits stand. */
  readonly limits?: Readonly<Record<string, { readonly left: number; readonly at: number }>>;
}

/** How that is written. */
export const countersSchema: Schema<Counters> = closedObject({
  random: optional(
    arrayOf(wholeNumber),
    "Where the sequence of random numbers stands: four numbers.",
  ),
  matches: optional(namedValues(positiveCount), "How many requests each script has answered."),
  keys: optional(namedValues(rowId), "The largest row id that each table has had."),
  limits: optional(
    namedValues(
      closedObject({
        left: required(number({}), "How much was left of the limit."),
        at: required(number({}), "When that was so, in Unix time in milliseconds."),
      }),
    ),
    "Where the limits stand.",
  ),
});
