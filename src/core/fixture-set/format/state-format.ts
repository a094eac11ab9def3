import type { Level } from "../../chat/rate-limiter.ts";
import { isJson } from "../../recordings/recorded-body.ts";
import { quoteList } from "../../errors/show.ts";
import {
  arrayOf,
  byKind,
  count,
  nonEmptyText,
  number,
  positiveCount,
  textLike,
  wholeNumber,
} from "../../schema/values.ts";
import { timeText } from "../../schema/time.ts";
import { type PlannedFault, plannedFaultsSchema } from "./fault-format.ts";
import { closedObject, namedValues, optional, required } from "../../schema/objects.ts";
import { type Schema, withRule } from "../../schema/schema.ts";

/** A cell of a table whose value JSON rows cannot express. */
export interface CellInput {
  /** The index of the row in the table, from 0. */
  readonly row: number;
  readonly column: string;
  /** The bytes of a blob, two hexadecimal digits each. */
  readonly blob?: string;
  /** The digits of a whole number. */
  readonly integer?: string;
  /** A number of storage class REAL. */
  readonly real?: number | string;
  /** The JSON text of a value that JSON rows would not read back unchanged. */
  readonly json?: string;
}

/** The parts of a state besides models, tables and scripts. */
export interface StateInput {
  readonly clock?: string;
  /** The seed of the random numbers, unless `random` is given. */
  readonly seed?: number;
  /** The state of the random number generator. */
  readonly random?: readonly number[];
  /** How many requests each script has answered. */
  readonly matches?: Readonly<Record<string, number>>;
  /** How often each recording was replayed, by cassette. */
  readonly played?: Readonly<Record<string, readonly number[]>>;
  readonly keys?: Readonly<Record<string, number | string>>;
  readonly limits?: { readonly requests?: Level; readonly tokens?: Level };
  readonly faults?: readonly PlannedFault[];
  readonly asStored?: readonly string[];
  readonly rowIds?: Readonly<Record<string, readonly (number | string)[]>>;
  readonly cells?: Readonly<Record<string, readonly CellInput[]>>;
}

const digits: Schema<string> = {
  check: (value, run) => {
    if (typeof value !== "string") run.mustBe("a text", value);
    else if (!/^-?\d{1,19}$/.test(value) || BigInt.asIntN(64, BigInt(value)) !== BigInt(value)) {
      run.mustBe("the digits of a whole number of 64 bits", value);
    }
  },
  json: () => ({ type: "string", pattern: /^-?\d{1,19}$/.source }),
};

/** A row id: a number, or its digits where no number is exact. */
const rowId: Schema<number | string> = byKind("a whole number, or its digits", {
  number: wholeNumber,
  string: digits,
});

const randomLength = 4;
const words = arrayOf(number({ whole: true, least: -(2 ** 31), most: 2 ** 31 - 1 }));

const random: Schema<readonly number[]> = {
  ...withRule(words, (value, run) => {
    if (value.length !== randomLength) {
      run.refuse(`"random" must be four numbers, but has ${value.length}.`);
    } else if (value.every((word) => word === 0)) {
      run.refuse(`"random" must not be four zeros: only zeros would follow.`);
    }
  }),
  json: (refer) => ({ ...words.json(refer), minItems: randomLength, maxItems: randomLength }),
};

const level: Schema<Level> = closedObject({
  left: required(number({}), "How much of the limit was left."),
  at: required(number({}), "When that was, in Unix time in milliseconds."),
});

const realText = textLike(
  /^-?(?:\d{1,30}|Infinity)$/,
  'Expected digits, "Infinity" or "-Infinity"',
);

const kinds = ["blob", "integer", "real", "json"];

const jsonText: Schema<string> = {
  check: (value, run) => {
    if (typeof value !== "string") run.mustBe("a text", value);
    else if (!isJson(value)) run.mustBe("the text of a JSON value", value);
  },
  json: () => ({ type: "string", contentMediaType: "application/json" }),
};

const cellKeys = closedObject({
  row: required(count, "The index of the row, from 0."),
  column: required(nonEmptyText, "The column."),
  blob: optional(
    textLike(/^(?:[\da-f]{2})*$/, "Expected two hexadecimal digits per byte, in lower case"),
    "The bytes of a blob, in hexadecimal.",
  ),
  integer: optional(digits, "A whole number that does not fit a JSON number."),
  real: optional(
    byKind("a number, or its digits", { number: number({}), string: realText }),
    "A REAL that looks like a whole number, or is infinite.",
  ),
  json: optional(
    jsonText,
    "The JSON text of a value with more digits or levels than a JSON document keeps.",
  ),
});

const cell: Schema<CellInput> = withRule(cellKeys, (value, run) => {
  const given = kinds.filter((kind) => Object.hasOwn(value, kind));
  if (given.length !== 1) run.refuse(`Give one of ${quoteList(kinds)}.`);
});

/** The format of a state. */
export const stateSchema: Schema<StateInput> = closedObject({
  clock: optional(
    timeText,
    "The time at which the clock is stopped. Default: the emulator's clock.",
  ),
  seed: optional(wholeNumber, "A seed that restarts the random numbers. `random` wins over it."),
  random: optional(random, "The state of the random number generator: four numbers."),
  matches: optional(namedValues(positiveCount), "How many requests each script has answered."),
  played: optional(
    namedValues(arrayOf(count)),
    "How often each recording was replayed, by cassette, in the order of its recordings.",
  ),
  keys: optional(namedValues(rowId), "The largest row id that each table has ever had."),
  limits: optional(
    closedObject({
      requests: optional(level, "The limit on requests."),
      tokens: optional(level, "The limit on tokens."),
    }),
    "The state of the rate limits.",
  ),
  faults: optional(plannedFaultsSchema, "The planned faults."),
  asStored: optional(
    arrayOf(nonEmptyText),
    "Tables whose rows are loaded without checks of types and references, such as those of a database.",
  ),
  rowIds: optional(
    namedValues(arrayOf(rowId)),
    "The `rowid` of each row, in row order, by table. The rows are loaded as with `asStored`. Default: 1, 2, 3 and so on.",
  ),
  cells: optional(
    namedValues(arrayOf(cell)),
    "Values that JSON cannot express, by table. They replace those in the rows.",
  ),
});
