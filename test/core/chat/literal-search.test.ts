import { expect, test } from "vitest";
import { literalSearch } from "../../../src/core/chat/matching/literals.ts";

/** The literals that a search for all of them finds in a text. */
function found(literals: readonly string[], text: string): readonly string[] {
  const search = literalSearch(new Map(literals.map((literal) => [literal, [literal]])));
  const owners = new Set<string>();
  search(text, owners);
  return literals.filter((literal) => owners.has(literal));
}

test.each([
  [["abc"], "abc", ["abc"]],
  [["abc"], "ab", []],
  [["abc"], "", []],
  [["abc"], "xabcx", ["abc"]],
  [["abc"], "xab", []],
  [["abcd"], "xabc", []],
  [["abcd"], "bcd abc abcx", []],
  [["AbZ"], "xaBzx", ["AbZ"]],
  [["ab@", "ab["], "AB` ab{", []],
  [["Äbc"], "äbc", []],
  [["abc", "bcd", "cde"], "abcde", ["abc", "bcd", "cde"]],
  [["aaa"], "aaaa", ["aaa"]],
  [["abcxyz", "xyz"], "xyz", ["xyz"]],
  [["one two", "one six", "one"], "one six", ["one six", "one"]],
  [["the rain", "the snow", "the hail"], "see the snow", ["the snow"]],
])("finds of %j in %j what stands there", (literals, text, expected) => {
  expect(found(literals, text)).toEqual(expected);
});

test("gives all owners of a literal, and keeps those that were found before", () => {
  const search = literalSearch(
    new Map([
      ["abc", [1, 2]],
      ["def", [3]],
    ]),
  );
  const owners = new Set([9]);
  search("ABC", owners);
  expect([...owners]).toEqual([9, 1, 2]);
});

test("finds every one of very many literals", () => {
  const literals = Array.from({ length: 9_000 }, (_, at) => `w${at.toString(36).padStart(3, "0")}`);
  expect(found(literals, literals.join(" "))).toEqual(literals);
  expect(found(literals, "w0zz w100!")).toEqual(["w0zz", "w100"]);
});

test("finds a literal of many thousands of characters by its beginning", () => {
  const long = `${"ab".repeat(5_000)}end`;
  expect(found([long, "end"], `x${long}`)).toEqual([long, "end"]);
  expect(found([long], `x${long.slice(0, -1)}`)).toEqual([]);
});
