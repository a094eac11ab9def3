import * as fc from "fast-check";
import {
  BlobValue,
  ExactInteger,
  integerValue,
  realValue,
  type Value,
  WholeReal,
} from "../../../src/core/store/value.ts";

// Values, texts and patterns near the edges at which SQLite's rules change.

const largest = 2n ** 63n;
const edges = [0n, 2n ** 31n, 2n ** 51n, 2n ** 53n, 2n ** 60n, largest];

/** An integer of 64 bits, most of them near an edge. */
const anyInteger = fc
  .oneof(
    fc.bigInt({ min: -6n, max: 12n }),
    fc
      .record({
        edge: fc.constantFrom(...edges),
        off: fc.bigInt({ min: -3n, max: 3n }),
        minus: fc.boolean(),
      })
      .map(({ edge, off, minus }) => (minus ? -edge : edge) + off),
    fc.bigInt({ min: -largest, max: largest - 1n }),
  )
  .map((integer) => BigInt.asIntN(64, integer));

/** SQLite reads and writes the digits of numbers far beyond these only nearly exactly, each version in its own way. */
const soundReal = (real: number): boolean =>
  real === 0 || !Number.isFinite(real) || (Math.abs(real) > 1e-90 && Math.abs(real) < 1e90);

const anyReal = fc.oneof(
  anyInteger.map(Number),
  fc.integer({ min: -2000, max: 2000 }).map((hundredths) => hundredths / 100),
  fc.constantFrom(
    -0,
    0.1 + 0.2,
    1e-7,
    1e15,
    1e21,
    99999.5,
    123456789012345.5,
    2 ** 64,
    Infinity,
    -Infinity,
  ),
  fc.double({ noNaN: true }).filter(soundReal),
);

const digits = fc.string({ unit: fc.constantFrom("0", "1", "5", "9"), maxLength: 4 });
const manyDigits = fc.string({ unit: fc.constantFrom("0", "5", "7"), minLength: 7, maxLength: 14 });
const outer = fc.constantFrom("", "", "", "", " ", "\t\n", "\v", "\f\r", "\u00a0", "\0");

/** Longer than SQLite reads. */
const longNumber = fc
  .tuple(manyDigits, manyDigits, fc.constantFrom("", "."), manyDigits, fc.constantFrom("", "e-9"))
  .map((parts) => parts.join(""));

/** Numbers as people and SQLite write them, and what only looks like one. */
const numberLike = fc.oneof(
  anyInteger.map(String),
  anyReal.map(String),
  longNumber,
  fc
    .tuple(
      outer,
      fc.constantFrom("", "", "-", "+", "--"),
      digits,
      fc.constantFrom("", ".", ".", "_", ","),
      digits,
      fc.constantFrom("", "", "e", "E+", "e-", "x"),
      fc.constantFrom("", "1", "2", "07", "18"),
      outer,
    )
    .map((parts) => parts.join("")),
);

const letter = fc.constantFrom(
  "a",
  "b",
  "A",
  "B",
  "z",
  "Z",
  "[",
  "`",
  "{",
  " ",
  "_",
  "%",
  "5",
  ".",
  "é",
  "É",
  "ß",
  "\u212a",
  "\u20ac",
  "\ue000",
  "\uffee",
  "\ufffd",
  "\ufffe",
  "\uffff",
  "\u{10000}",
  "\u{1f600}",
  "\u{10ffff}",
  "\0",
);
const plainLetter = fc.constantFrom("a", "A", "b", "B", " ");
const word = fc.oneof(
  fc.string({ unit: plainLetter, maxLength: 4 }),
  fc.string({ unit: letter, maxLength: 6 }),
  // What SQLite takes for the same in places, for many pairs of it.
  fc.string({ unit: fc.constantFrom("a", "A", "\0"), maxLength: 4 }),
  fc.string({ unit: fc.constantFrom("\ufffd", "\ufffe", "\uffff"), maxLength: 2 }),
);

export const anyText: fc.Arbitrary<string> = fc.oneof(
  word,
  word,
  numberLike,
  fc.constantFrom("true", "null", "Inf", "0x10", "NaN", "5", "5.0", "9007199254740993", "1e999"),
);

/** Of UTF-8: LIKE reads other bytes in its own way, which the store does not follow. */
const byte = fc.nat(0x7f);
const anyBlob = fc.oneof(
  fc.array(byte, { maxLength: 6 }).map((bytes) => Uint8Array.from(bytes)),
  anyText.map((text) => new TextEncoder().encode(text)),
);

/** Any value that a statement could bind, as it is before its column converts it. */
export const anyValue: fc.Arbitrary<Value> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: anyInteger.map(integerValue) },
  { weight: 3, arbitrary: anyReal.map(realValue) },
  { weight: 4, arbitrary: anyText },
  { weight: 1, arbitrary: anyBlob.map((bytes) => new BlobValue(bytes)) },
);

/** Some code points of a text; `slice` could part the two halves of one. */
function points(text: string, start: number, end?: number): string {
  return Array.from(text).slice(start, end).join("");
}

export const anyPattern: fc.Arbitrary<string> = fc.oneof(
  fc
    .array(fc.oneof(letter, plainLetter, fc.constantFrom("%", "%", "_")), { maxLength: 7 })
    .map((parts) => parts.join("")),
  fc.constantFrom("%a%", "a%", "%a", "%a_a%"),
  anyText.map((text) => `${points(text, 0, 3)}%`),
  anyText.map((text) => `%${points(text, -3)}`),
  anyText.map((text) => `%${points(text, 1, 4)}%`),
  anyText,
);

/** How a value may be written in a filter that means it, or nearly so. */
export function anySpelling(value: Value): fc.Arbitrary<string> {
  const shown = showValue(value);
  return fc.constantFrom(
    shown,
    `${shown}.0`,
    ` ${shown} `,
    `${shown}  `,
    shown.toUpperCase(),
    `${shown}\0`,
  );
}

function showValue(value: Value): string {
  if (value instanceof BlobValue) return new TextDecoder().decode(value.bytes);
  if (value instanceof ExactInteger || value instanceof WholeReal) return String(value.value);
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A pattern made of a text, with wildcards in place of some of its code points. */
export function patternOf(text: string): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom("", "", "_", "%", "%_"), { minLength: 12, maxLength: 12 })
    .map((wild) => Array.from(text, (point, index) => wild[index] || point).join(""));
}
