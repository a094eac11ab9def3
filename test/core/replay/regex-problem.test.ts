import { expect, test } from "vitest";
import { regexProblem } from "../../../src/core/replay/redaction/regex-problem.ts";

test.each([
  "(a+)+b",
  "(a*)*b",
  "(a|a)+b",
  "(a|ab?)+c",
  "([a-z]+)*\\d",
  "(\\w+\\s?)+:",
  "(\\d{4}|\\d+)+x",
  "(.*,)+.*z",
  "((ab)*(ab)*)+c",
  "(x+x+)+y",
  "(a?b?a?)+c",
  "(\\s|.)+?end",
  "^(([a-z])+.)+[A-Z]",
  "(?=(a+)+b)x",
  "(?:[\\]a]+)+x",
  "(é|[à-ü])+x",
  "(一|\\u4e00)+x",
  "(a{1,50})+x",
])("refuses %s, which can take endless time", (source) => {
  expect(regexProblem(source, "")?.message).toContain("can take endless time");
});

test.each([
  "sk-[A-Za-z0-9_-]{20,}",
  "[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+",
  "-----BEGIN [A-Z ]+-----[\\s\\S]+?-----END [A-Z ]+-----",
  "\\b(?:\\d{4}[ -]?){3}\\d{4}\\b",
  "(?:[0-9a-f]{2}:){5}[0-9a-f]{2}",
  "(?:\\d{1,3}\\.){3}\\d{1,3}",
  '"(?:[^"\\\\]|\\\\.)*"',
  "(?:ab|ac)+",
  "(?:https?|ftp)://\\S+",
  "(?:[A-Za-z0-9+/]{4})+(?:==|=)?",
  "(?<=key: )\\w+",
  "(?<name>a+)-\\k<name>",
  "(\\w)\\1",
  "a{1,50}b{2,}",
  "[a{b}]+{x",
  "eyJ[\\w-]+\\.[\\w-]+\\.[\\w-]+",
  ".*x.*y",
])("takes %s", (source) => {
  expect(regexProblem(source, "i")).toBeUndefined();
});

test.each([
  ["\\p{L}+@", "u", undefined],
  ["(\\p{L}+)+@", "u", "can take endless time"],
  ["(a|A)+b", "i", "can take endless time"],
  ["(a|A)+b", "", undefined],
  ["a|", "", "matches the empty text"],
  ["[a-z]{301}", "", undefined],
  ["(?:[a-z]{12}-){12}[a-z]{12}[a-z]{12}(?:[a-z]{12}){12}", "", "is too long"],
])("judges %s with the flags %j", (source, flags, message) => {
  const problem = regexProblem(source, flags)?.message;
  expect(message === undefined ? problem : problem?.includes(message)).toBe(
    message === undefined ? undefined : true,
  );
});
