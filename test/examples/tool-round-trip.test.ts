import { expect, test } from "vitest";
import { reserve } from "../../examples/tool-round-trip/reserve.ts";

test("reads a row by one tool, changes it by another, and says what the table has then", async () => {
  expect(await reserve("Please reserve 3 teapots")).toBe('Done. 4 pieces of "Teapot" are left.');
});

test("asks for no change of a product that is not there", async () => {
  expect(await reserve("Reserve 1 samovar")).toBe("I am sorry, we do not have that.");
});
