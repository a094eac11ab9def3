import { expect, test } from "vitest";
import { literalsOfRegex } from "../../../src/core/chat/matching/literals.ts";

test.each<[source: string, flags: string, literals: readonly string[] | undefined]>([
  ["weather", "", ["weather"]],
  ["Weather", "i", ["Weather"]],
  ["^weather$", "", ["weather"]],
  ["the weather in (Oslo|Bergen) now", "", ["the weather in "]],
  ["(a(b)c)long one(d)x", "", ["long one"]],
  ["rain|snow fall", "", ["rain", "snow fall"]],
  ["rain|.*", "", undefined],
  ["", "", undefined],
  [".*", "", undefined],
  ["colou?r", "", ["colo"]],
  ["rains*", "", ["rain"]],
  ["rains+", "", ["rains"]],
  ["ab{2,3}cde", "", ["cde"]],
  ["abx{2}cd", "", ["ab"]],
  ["ab{0,}", "", ["a"]],
  ["a{b", "", ["a"]],
  ["ab[xyz]cde", "", ["cde"]],
  ["ab[\\]|]cde", "", ["cde"]],
  ["abc\\dde", "", ["abc"]],
  ["ab\\.cde", "", ["cde"]],
  ["ab\\\\cd", "", undefined],
  ["ab\\x41", "", undefined],
  ["ab\\1", "", undefined],
  ["ab\\bcde\\W", "", ["cde"]],
  ["ab.cde", "s", ["cde"]],
  ["it😀*", "", ["it"]],
  ["it😀b*", "", ["it😀"]],
  ["straße", "", ["straße"]],
  ["straße", "i", ["stra"]],
  ["weather", "iu", undefined],
  ["weather", "u", ["weather"]],
  ["weather", "v", undefined],
])("finds in /%s/%s the literals that any match has", (source, flags, literals) => {
  expect(literalsOfRegex(source, flags)).toEqual(literals);
});
