import { expect, test } from "vitest";
import { counted, inNumber } from "../../../src/core/errors/show.ts";

test.each([
  [0, "row", "0 rows"],
  [1, "row", "1 row"],
  [2, "row", "2 rows"],
  [1, "entry", "1 entry"],
  [3, "entry", "3 entries"],
  [3, "key", "3 keys"],
  [2, "match", "2 matches"],
  [2, "alias", "2 aliases"],
  [5, "more problem", "5 more problems"],
])("writes %i of %j as %j", (count, noun, text) => {
  expect(counted(count, noun)).toBe(text);
});

test("gives the noun alone for a count that is written in another way", () => {
  expect(`${(12_000).toLocaleString("en")} ${inNumber(12_000, "row")}`).toBe("12,000 rows");
});
