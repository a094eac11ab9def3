import type { Affinity } from "../../src/core/store/column-kinds.ts";
import type { Random } from "./random.ts";
import type { SqlCell } from "./sql-cell.ts";

// Values, texts and patterns near the edges at which SQLite's rules change.

const integerEdges = [31n, 32n, 51n, 53n, 53n, 60n, 62n, 63n].map((bits) => 2n ** bits);

export function anyInteger(random: Random): bigint {
  if (random.chance(0.6)) return BigInt(random.int(-9, 40));
  if (random.chance(0.3)) return BigInt(random.int(-1_000_000, 1_000_000));
  const near = random.pick(integerEdges) + BigInt(random.int(-2, 2));
  return BigInt.asIntN(64, random.chance(0.5) ? near : -near);
}

const realEdges = [
  -0,
  0.1,
  0.1 + 0.2,
  1e-7,
  -1e-7,
  99999.5,
  123456789012345.5,
  1e15,
  1e16,
  1e17,
  1e21,
  1e308,
  -1e308,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 53),
  2 ** 63,
  -(2 ** 63),
  2 ** 64,
  Infinity,
  -Infinity,
];

export function anyReal(random: Random): number {
  if (random.chance(0.4)) return random.int(-2000, 2000) / 100;
  if (random.chance(0.4)) return random.int(-9, 40);
  if (random.chance(0.5)) return random.pick(realEdges);
  const digits = random.int(0, 2 ** 20) * 2 ** 32 + random.int(0, 2 ** 32 - 1);
  return (digits - 2 ** 51) * 2 ** random.int(-90, 12);
}

const letters = Array.from(
  "abABzZ[`{ _%5.éÉß\u212a\u20ac\ue000\uffee\ufffd\u{10000}\u{1f600}\u{10ffff}",
);
const plainLetters = Array.from("aAbBc ");
const oddLetters = Array.from("aA\0\ufffd\ufffe\uffff\ue000\u{1f600}");
const names = "Ada|ada|ADA|Bob|bob|carol|Carol|Dave|dave |ada |zoë|Zoë|null|NULL|true|false".split(
  "|",
);

function lettersOf(random: Random, alphabet: readonly string[], most: number): string {
  return random.list(random.int(0, most), () => random.pick(alphabet)).join("");
}

/** Numbers as people and SQLite write them, and what only looks like one. */
function anyNumberText(random: Random): string {
  if (random.chance(0.3)) return String(anyInteger(random));
  if (random.chance(0.3)) return String(anyReal(random));
  if (random.chance(0.05)) return longNumberText(random);
  if (random.chance(0.2)) {
    return random.pick(["Inf", "0x10", "NaN", "5", "5.0", "9007199254740993", "1_0", "-", "."]);
  }
  const digits = (): string => lettersOf(random, ["0", "1", "5", "9"], 4);
  const outer = (): string => random.pick(["", "", "", "", " ", "\t\n", "\v", "\u00a0", "\0"]);
  return [
    outer(),
    random.pick(["", "", "-", "+", "--"]),
    digits(),
    random.pick(["", ".", ".", ","]),
    digits(),
    random.pick(["", "", "e", "E+", "e-", "x"]),
    random.pick(["", "1", "2", "07", "18"]),
    outer(),
  ].join("");
}

/** More digits than SQLite reads. */
function longNumberText(random: Random): string {
  const digits = (): string => lettersOf(random, ["0", "5", "7"], 14);
  return [digits(), digits(), random.pick(["", "."]), digits(), random.pick(["", "e-9"])].join("");
}

export function anyText(random: Random): string {
  return random.weighted<() => string>([
    [3, () => random.pick(names)],
    [3, () => lettersOf(random, plainLetters, 4)],
    [3, () => lettersOf(random, letters, 6)],
    [1, () => lettersOf(random, oddLetters, 4)],
    [4, () => anyNumberText(random)],
  ])();
}

/** Of UTF-8: LIKE reads other bytes in its own way, which the store does not follow. */
const oddBytes = [0x41, 0x61, 0x7f, 0x01, 0];

function anyBlob(random: Random): Uint8Array {
  if (random.chance(0.5)) return new TextEncoder().encode(anyText(random));
  return Uint8Array.from(random.list(random.int(0, 5), () => random.pick(oddBytes)));
}

export function anyCell(random: Random): SqlCell {
  return random.weighted<() => SqlCell>([
    [1, () => null],
    [3, () => anyInteger(random)],
    [3, () => anyReal(random)],
    [4, () => anyText(random)],
    [1, () => anyBlob(random)],
  ])();
}

/** A value as a column of this affinity mostly has them. */
export function usualCell(random: Random, affinity: Affinity): SqlCell {
  switch (affinity) {
    case "INTEGER":
      return anyInteger(random);
    case "REAL":
      return anyReal(random);
    case "TEXT":
      return anyText(random);
    default:
      return anyCell(random);
  }
}

/** A value that no other number makes. */
export function distinctCell(random: Random, affinity: Affinity, number: number): SqlCell {
  const choices: Readonly<Record<Affinity, readonly SqlCell[]>> = {
    INTEGER: [BigInt(number)],
    REAL: [number / 2, BigInt(number)],
    TEXT: [`k${number}`, `K${number} `, String(number), `${number}\u{1f600}`],
    NUMERIC: [BigInt(number), number / 2, `k${number}`],
    NONE: [BigInt(number), number / 2, `k${number}`],
  };
  return random.pick(choices[affinity]);
}

/** How a value may be written in a filter that means it, or nearly so. */
export function spellingOf(random: Random, cell: SqlCell): string {
  const shown = shownText(cell);
  return random.weighted([
    [8, shown],
    [1, `${shown}.0`],
    [1, ` ${shown} `],
    [1, `${shown}  `],
    [1, `+${shown}`],
    [1, shown.toUpperCase()],
    [0.3, `${shown}\0`],
    [0.5, Array.from(shown).slice(0, 2).join("")],
  ]);
}

function shownText(cell: SqlCell): string {
  return cell instanceof Uint8Array ? new TextDecoder().decode(cell) : String(cell);
}

/** A pattern that matches a value's text, or nearly so. */
export function patternFor(random: Random, cell: SqlCell): string {
  const points = Array.from(shownText(cell), (point) => sameToLike(random, point));
  const from = random.int(0, points.length);
  const to = random.int(from, points.length);
  const replaced = (wildcards: readonly string[]): string =>
    points.map((point) => (random.chance(0.3) ? random.pick(wildcards) : point)).join("");
  return random.weighted<() => string>([
    [3, () => `${points.slice(0, to).join("")}%`],
    [2, () => `%${points.slice(from).join("")}`],
    [2, () => `%${points.slice(from, to).join("")}%`],
    [2, () => replaced(["_"])],
    [2, () => replaced(["%", "%_", ""])],
    [2, () => lettersOf(random, [...letters, "%", "%", "%", "_"], 6)],
    [1, () => anyText(random)],
    [1, () => random.pick(["%", "_%", "%a%", "a%", "%_a%", "%.0", "", "%%b"])],
  ])();
}

/** Sometimes another code point that LIKE takes for the same. */
function sameToLike(random: Random, point: string): string {
  if (random.chance(0.7)) return point;
  if (/[\ufffd-\uffff]/.test(point)) return random.pick(["\ufffd", "\ufffe", "\uffff"]);
  return /[a-z]/.test(point) ? point.toUpperCase() : point;
}
