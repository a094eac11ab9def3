import { expect, test } from "vitest";
import { BlobValue, ExactInteger, WholeReal } from "../../../src/core/store/value.ts";

test.each([
  [new ExactInteger(2n ** 63n - 1n), "9223372036854775807"],
  [new WholeReal(5), "5"],
  [new BlobValue(new Uint8Array([1])), "{}"],
])("has a text for %j", (value, text) => {
  expect(String(value)).toBe(text);
});
