import { expect, test } from "vitest";
import { readTokens } from "../../../src/core/schema/json-text.ts";

/** The pieces of a text as `kind text`; those that open have no end, those that close no beginning. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  readTokens(text, {
    open: (kind, start) => pieces.push(`open ${kind} at ${start}`),
    close: (end) => pieces.push(`close before ${end}`),
    key: (start, end) => pieces.push(`key ${text.slice(start, end)}`),
    value: (kind, start, end) => pieces.push(`${kind} ${text.slice(start, end)}`),
  });
  return pieces;
}

test("tells keys from texts, and opens and closes what holds them", () => {
  expect(piecesOf('{"a":["b"]}')).toEqual([
    "open object at 0",
    'key "a"',
    "open array at 5",
    'string "b"',
    "close before 10",
    "close before 11",
  ]);
});

test.each([
  ["0", "number 0"],
  ["-12.5e+3", "number -12.5e+3"],
  ["1E-7", "number 1E-7"],
  ["true", "word true"],
  ["false", "word false"],
  ["null", "word null"],
  ['""', 'string ""'],
  ['"a b"', 'string "a b"'],
])("reads %s as one piece", (text, piece) => {
  expect(piecesOf(text)).toEqual([piece]);
  expect(piecesOf(`[${text},${text}]`).slice(1, -1)).toEqual([piece, piece]);
});

test.each([
  String.raw`"\""`,
  String.raw`"\\"`,
  String.raw`"\\\""`,
  String.raw`"a\\\\"`,
  '"[{:,}]"',
])("finds the end of %s", (text) => {
  expect(piecesOf(`[${text},1]`)).toEqual([
    "open array at 0",
    `string ${text}`,
    "number 1",
    `close before ${text.length + 4}`,
  ]);
});

test.each([" ", "\n", "\r", "\t", " \r\n\t "])("skips the white space %j everywhere", (space) => {
  const pieces = ["{", '"a"', ":", "[", "1", ",", '"b"', "]", "}"];
  const kinds = piecesOf(pieces.join(space)).map((piece) =>
    piece.replace(/ (?:at|before) \d+$/, ""),
  );
  expect(kinds).toEqual([
    "open object",
    'key "a"',
    "open array",
    "number 1",
    'string "b"',
    "close",
    "close",
  ]);
});

test("reads what nests deeper than a stack would hold", () => {
  const depth = 20_000;
  expect(piecesOf("[".repeat(depth) + "]".repeat(depth))).toHaveLength(2 * depth);
});
