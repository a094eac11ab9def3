import { expect, test } from "vitest";
import { numericText, parseNumber, realText } from "../../../src/core/store/number-text.ts";

test.each([
  ["5", 5],
  [" \t5\n", 5],
  ["+5", 5],
  ["-0", -0],
  ["05", 5],
  ["1e2", 100],
  ["5.", 5],
  [".5", 0.5],
  ["5.e1", 50],
  ["1e999", Infinity],
  ["9007199254740993", 9007199254740993n],
  ["-9223372036854775808", -9223372036854775808n],
  ["9223372036854775808", 9223372036854775808],
  ["9".repeat(400), Infinity],
  // SQLite reads 19 or 20 digits only; the next would decide the rounding.
  ["2680448892447459.2501496", 2680448892447459],
  ["-0002680448892447459250.1496e-3", -2680448892447459],
  ["0002680448892447459750.1496e-3", 2680448892447460],
  ["1125899906842625.1251", 1125899906842625.25],
  ["1125899906842625.12501", 1125899906842625],
  ["1125899906842625.12511", 1125899906842625.25],
  ["00009007199254740993", 9007199254740993n],
  ["9223372036854775807", 9223372036854775807n],
  ["-9223372036854775809", -9223372036854775808],
])("takes %j for a number", (text, number) => {
  expect(parseNumber(text)).toBe(number);
});

test.each(["", " ", "0x10", "Infinity", "NaN", "1_000", "1e", ".", "e5", "5a", "\u00a05", "--5"])(
  "leaves %j a text",
  (text) => {
    expect(parseNumber(text)).toBeUndefined();
  },
);

test("takes no longer than the text for what is nearly a number", () => {
  const start = performance.now();
  for (const tail of ["x", ".x", "e", " x"]) parseNumber(`${"1".repeat(100_000)}${tail}`);
  expect(performance.now() - start).toBeLessThan(1_000);
});

test.each([
  [5, "5.0"],
  [-2.5, "-2.5"],
  [0, "0.0"],
  [1e-7, "1.0e-07"],
  [0.0001, "0.0001"],
  [1e15, "1.0e+15"],
  [123456789012345, "123456789012345.0"],
  [0.1 + 0.2, "0.3"],
  [9007199254740992, "9.00719925474099e+15"],
  [1e21, "1.0e+21"],
  [1e100, "1.0e+100"],
  [-Infinity, "-Inf"],
  [Infinity, "Inf"],
  [-0, "0.0"],
  [1 / 3, "0.333333333333333"],
  [1 / 3000, "0.000333333333333333"],
  [1234.567890123456, "1234.56789012346"],
])("writes the real %d as %s", (value, text) => {
  expect(realText(value)).toBe(text);
});

test.each([
  [5, "5"],
  [5.5, "5.5"],
  [2 ** 60, "1152921504606846976"],
  [1e21, "1.0e+21"],
])("writes the number %d as %s where whole numbers are integers", (value, text) => {
  expect(numericText(value)).toBe(text);
});
