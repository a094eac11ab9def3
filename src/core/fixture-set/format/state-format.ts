import { isJson } from "../../replay/recorded-body.ts";
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

/** What rows cannot say, since JSON has no such value. */
export interface CellInput {
  /** Counts from 0 in the table's rows. */
  readonly row: number;
  readonly column: string;
  /** The bytes of a blob, two digits each. */
  readonly blob?: string;
  /** A whole number by its digits. */
  readonly integer?: string;
  /** A number of storage class REAL. */
  readonly real?: number | string;
  /** JSON text of a value that would not be read as it is. */
  readonly json?: string;
}

/** Where a limit stands. */
interface LevelInput {
  readonly left: number;
  readonly at: number;
}

/** What a state has besides models, tables and scripts. */
export interface StateInput {
  readonly clock?: string;
  readonly seed?: number;
  readonly random?: readonly number[];
  readonly matches?: Readonly<Record<string, number>>;
  readonly played?: Readonly<Record<string, readonly number[]>>;
  readonly keys?: Readonly<Record<string, number | string>>;
  readonly limits?: { readonly requests?: LevelInput; readonly tokens?: LevelInput };
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
      run.refuse(`"random" must not be four zeros: nothing but zeros would follow.`);
    }
  }),
  json: (refer) => ({ ...words.json(refer), minItems: randomLength, maxItems: randomLength }),
};

const level: Schema<LevelInput> = closedObject({
  left: required(number({}), "How much was left of the limit."),
  at: required(number({}), "When that was so, in Unix time in milliseconds."),
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
  row: required(count, "Which row, from 0."),
  column: required(nonEmptyText, "The column."),
  blob: optional(
    textLike(/^(?:[\da-f]{2})*$/, "Expected two of 0 to 9 and a to f for each byte"),
    "The bytes of a blob, in hexadecimal.",
  ),
  integer: optional(digits, "A whole number that no JSON number holds."),
  real: optional(
    byKind("a number, or its digits", { number: number({}), string: realText }),
    "A number that would be taken for a whole number, or that is infinite.",
  ),
  json: optional(
    jsonText,
    "The JSON text of a value with digits, or levels, that would not be read as they are.",
  ),
});

const cell: Schema<CellInput> = withRule(cellKeys, (value, run) => {
  const given = kinds.filter((kind) => Object.hasOwn(value, kind));
  if (given.length !== 1) run.refuse(`Give one of ${quoteList(kinds)}.`);
});

/** How a state is written. */
export const stateSchema: Schema<StateInput> = closedObject({
  clock: optional(
    timeText,
    "The time at which the clock stands. Default: it is that of the emulator.",
  ),
  seed: optional(
    wholeNumber,
    "What the sequence of random numbers begins anew from. `random` comes before it.",
  ),
  random: optional(random, "Where the sequence of random numbers stands: four numbers."),
  matches: optional(namedValues(positiveCount), "How many requests each script has answered."),
  played: optional(
    namedValues(arrayOf(count)),
    "How often each recording was replayed, by cassette, in the order of its recordings.",
  ),
  keys: optional(namedValues(rowId), "The largest row id that each table has had."),
  limits: optional(
    closedObject({
      requests: optional(level, "That of requests."),
      tokens: optional(level, "That of tokens."),
    }),
    "Where the limits stand.",
  ),
  faults: optional(plannedFaultsSchema, "What goes wrong with the requests to come."),
  asStored: optional(
    arrayOf(nonEmptyText),
    "Tables whose rows are kept as they are, as those of a database may be: types and references are not judged.",
  ),
  rowIds: optional(
    namedValues(arrayOf(rowId)),
    "The `rowid` of each row, in their order, by table. The rows are kept as with `asStored`. Default: 1, 2, 3 and so on.",
  ),
  cells: optional(
    namedValues(arrayOf(cell)),
    "Values of rows, by table, that JSON has no word for. They come in place of those in the rows.",
  ),
});
