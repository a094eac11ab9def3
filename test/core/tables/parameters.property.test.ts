import fc from "fast-check";
import { expect, test } from "vitest";
import { readParameters } from "../../../src/core/tables/parameters.ts";
import { tries } from "../../support/tries.ts";

const piece = fc.constantFrom(
  "a",
  "sort_by",
  "=",
  "==",
  "&",
  "&&",
  "?",
  ".",
  "%20",
  "+",
  "%",
  "é",
  "\ud800",
);
const queries = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));

test("reads every query as a form", () => {
  fc.assert(
    fc.property(queries, (query) => {
      const form = new URLSearchParams(query.startsWith("?") ? `&${query}` : query);
      const expected = [...form].map(([name, value]) => ({ name, value }));
      expect(readParameters(query)).toEqual(expected);
    }),
    { numRuns: tries(2_000) },
  );
});
