import { expect, test } from "vitest";
import { EmulatorError } from "../../../src/core/errors/emulator-error.ts";
import { visibleLines, visibleText } from "../../../src/core/errors/visible-text.ts";

test.each([
  ["a title", "\u001B]0;owned\u0007", String.raw`\u001b]0;owned\u0007`],
  ["a colour in C1", "\u009B31m", String.raw`\u009b31m`],
  ["DEL", "a\u007F", String.raw`a\u007f`],
  ["a line that is written over", "ok\rno", String.raw`ok\rno`],
  ["marks of direction", "\u202Ea\u2066b\u200F", String.raw`\u202ea\u2066b\u200f`],
  ["an Arabic letter mark", "\u061C", String.raw`\u061c`],
  ["spaces of no width", "a\u200Bb\uFEFF\u2060", String.raw`a\u200bb\ufeff\u2060`],
  ["separators of lines", "a\u2028b\u2029", String.raw`a\u2028b\u2029`],
  ["hidden tags", "\u{E0041}", String.raw`\udb40\udc41`],
  ["a filler of Hangul", "\u3164", String.raw`\u3164`],
])("shows %s as escapes of JSON", (_, text, shown) => {
  expect(visibleText(text)).toBe(shown);
  expect(visibleLines(text)).toBe(shown);
  expect(JSON.parse(`"${shown}"`)).toBe(text);
});

test.each(["Grüße, 日本語, עברית, عربي", "☂️ 👍🏽", "a~b"])("leaves %s as it is", (text) => {
  expect(visibleText(text)).toBe(text);
});

test("keeps line breaks, unless there is only one line", () => {
  expect(visibleLines("a\n\tb")).toBe("a\n\tb");
  expect(visibleText("a\n\tb")).toBe(String.raw`a\n\tb`);
});

test("the message of an error has nothing that a terminal obeys", () => {
  const error = new EmulatorError("ERR_TABLE_UNKNOWN", "no table \u001B[2J\u202E\nhere");
  expect(error.message).toBe("no table \\u001b[2J\\u202e\nhere");
});
