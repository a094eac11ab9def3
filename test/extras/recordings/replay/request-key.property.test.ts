import { compare } from "../../../../src/core/schema/compare.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { usualRecordingRules } from "../../../../src/core/recordings/cassette.ts";
import { recordRequestBody } from "../../../../src/core/recordings/recorded-body.ts";
import { compileRules } from "../../../../src/core/recordings/recording-rules.ts";
import { requestKey } from "../../../../src/extras/recordings/replay/request-key.ts";
import { tries } from "../../../support/tries.ts";

const rules = compileRules(usualRecordingRules);
const options = { numRuns: tries(1000) };

/** JSON whose numbers are texts of digits, so that none is lost. */
type Written =
  | { readonly word: string }
  | { readonly number: readonly [digits: string, zeros: string] }
  | { readonly string: string }
  | { readonly list: readonly Written[] }
  | { readonly members: readonly (readonly [string, Written])[] };

const written = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ word: fc.constantFrom("true", "null") }),
    fc.record({
      number: fc.tuple(
        fc.constantFrom("1", "2", "9007199254740992", "9007199254740993"),
        fc.constantFrom("", ".0", "e0"),
      ),
    }),
    fc.record({ string: fc.constantFrom("a", "é", "1", "") }),
    fc.record({ list: fc.array(tie("value"), { maxLength: 3 }) }),
    fc.record({
      members: fc.array(fc.tuple(fc.constantFrom("a", "b", "__proto__"), tie("value")), {
        maxLength: 3,
      }),
    }),
  ),
})).value;

function textOf(value: Written, spaces: string): string {
  if ("word" in value) return value.word;
  if ("number" in value) return value.number.join("");
  if ("string" in value) return JSON.stringify(value.string);
  if ("list" in value)
    return `[${value.list.map((item) => textOf(item, spaces)).join(`,${spaces}`)}]`;
  const members = value.members.map(
    ([name, item]) => `${JSON.stringify(name)}:${spaces}${textOf(item, spaces)}`,
  );
  return `{${members.join(",")}}`;
}

/** What a value says: its names in order, its numbers exact. */
function meaning(value: Written): unknown {
  if ("list" in value) return { list: value.list.map(meaning) };
  if ("number" in value) return { number: value.number[0] };
  if (!("members" in value)) return value;
  const members = value.members.map(([name, item]) => [name, meaning(item)] as const);
  return {
    members: members.toSorted(([left], [right]) => compare(left, right)),
  };
}

/** Whether parsing loses nothing: only then a body is told by its value. */
function survives(value: Written): boolean {
  if ("list" in value) return value.list.every(survives);
  if ("number" in value) return value.number[0] !== "9007199254740993";
  if (!("members" in value)) return true;
  const names = value.members.map(([name]) => name);
  return new Set(names).size === names.length && value.members.every(([, item]) => survives(item));
}

function keyOf(text: string): string {
  const body = recordRequestBody(new TextEncoder().encode(text));
  return requestKey({ method: "POST", path: "/a", ...(body === undefined ? {} : { body }) }, rules);
}

function shuffled(value: Written): Written {
  if ("list" in value) return { list: value.list.map(shuffled) };
  if (!("members" in value)) return value;
  return {
    members: value.members.map(([name, item]) => [name, shuffled(item)] as const).toReversed(),
  };
}

test("has equal keys exactly for bodies that say the same", () => {
  fc.assert(
    fc.property(written, written, fc.boolean(), (left, right, isOther) => {
      const second = isOther ? right : shuffled(left);
      const texts = [textOf(left, ""), textOf(second, " ")] as const;
      const byValue = survives(left) && survives(second);
      const isSame = byValue
        ? JSON.stringify(meaning(left)) === JSON.stringify(meaning(second))
        : texts[0] === texts[1];
      expect(keyOf(texts[0]) === keyOf(texts[1])).toBe(isSame);
    }),
    options,
  );
});

function queryKey(query: string): string {
  return requestKey({ method: "GET", path: "/a", query }, rules);
}

function byName(pairs: readonly (readonly [string, string])[]): string {
  return JSON.stringify(["a", "b"].map((name) => pairs.filter(([own]) => own === name)));
}

test("has equal keys exactly for queries of the same pairs, of one name in the same order", () => {
  const pairs = fc.array(
    fc.tuple(fc.constantFrom("a", "b"), fc.constantFrom("1", "é", " ", "+", "")),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(pairs, pairs, (left, right) => {
      const plain = left.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
      const other = new URLSearchParams(right).toString();
      expect(queryKey(plain) === queryKey(other)).toBe(byName(left) === byName(right));
    }),
    options,
  );
});
