import { expect, test } from "vitest";
import { readFixtureFiles } from "../../../src/core/fixture-set/read-fixtures.ts";
import type { Problem } from "../../../src/core/errors/emulator-error.ts";

async function warningsOf(file: string, text: string): Promise<readonly Problem[]> {
  const files = [{ name: file, path: file, text }];
  return (await readFixtureFiles(files, { warnOfSlow: true })).warnings;
}

function warningsOfUser(regex: string, flags?: string): Promise<readonly Problem[]> {
  const script = { when: { user: { regex, flags } }, reply: { content: "a" } };
  return warningsOf("chats/a.json", JSON.stringify(script));
}

test.each([
  "^(a+)+$",
  "^(a*)*$",
  "(?:a+)+b",
  "^(?<name>a+)+b",
  "^([a-z]+\\s?)+$",
  "^(\\w+\\s?)*$",
  "(x+x+)+y",
  "^(?=a)(a+)+$",
  "^(?!b)(a|b+)*c",
  "^(?:(?:a+)?b?)*$",
  "^(.*)*x$",
  "^(a+){2,}$",
])("warns of %s, which tries twice as many ways for each further letter", async (regex) => {
  expect(await warningsOfUser(regex)).toEqual([
    expect.objectContaining({ message: expect.stringContaining("can take very long") }),
  ]);
});

test.each([
  "^(?<city>\\w+) weather$",
  "how many (?<title>.+?)s? do you have",
  "[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+",
  "^[a-z]+(-[a-z]+)*$",
  "\\d{1,3}(,\\d{3})*(\\.\\d+)?",
  "https?://[^\\s/]+(/[^\\s]*)?",
  "(?:one|two|three)+",
  "(?<year>\\d{4})-(?<month>\\d{2})",
  "what.*price.*of.*(?<item>\\w+)",
  "^(?=.*\\d)(?=.*[a-z]).{8,}$",
  "(ab)+",
  "(\\w+\\s)+",
  "\\(a+\\)+",
])("does not warn of the ordinary %s", async (regex) => {
  expect(await warningsOfUser(regex)).toEqual([]);
});

test("minds the flags of an expression", async () => {
  expect(await warningsOfUser("^(a+B?)+$", "i")).toHaveLength(1);
  expect(await warningsOfUser("^(\\p{L}+)+$", "u")).toHaveLength(1);
});

test.each([
  ["system", '{"when": {"system": {"regex": "^(a+)+$"}}, "reply": {"content": "a"}}'],
  [
    "anyMessage",
    '{"when": {"anyMessage": {"anyOf": ["x", {"regex": "^(a+)+$"}]}}, "reply": {"content": "a"}}',
  ],
  [
    "toolResult",
    '{"when": {"toolResult": {"content": {"regex": "^(a+)+$"}}}, "reply": {"content": "a"}}',
  ],
] as const)("names the place and the script of an expression in %s", async (_, text) => {
  const column = text.indexOf('"^(a+)+$"') + 1;
  expect(await warningsOf("chats/a.json", text)).toMatchObject([
    {
      file: "chats/a.json",
      line: 1,
      column,
      message: expect.stringContaining('The script "a" has the regular expression "^(a+)+$"'),
    },
  ]);
});

test("names the place of an expression of a redaction rule", async () => {
  const text = '{\n  "recording": { "redact": [{ "regex": "(b+)+c", "as": "slow" }] }\n}';
  expect(await warningsOf("config.json", text)).toMatchObject([
    { file: "config.json", line: 2, column: 40 },
  ]);
});

test("names the place of an expression of a volatile rule, also in a recorded request", async () => {
  const rules = '{"recording": {"volatile": ["query.nonce", {"regex": "(b+)+c"}]}}';
  const column = rules.indexOf('"(b+)+c"') + 1;
  expect(await warningsOf("config.json", rules)).toMatchObject([
    { file: "config.json", line: 1, column, message: expect.stringContaining("volatile rule") },
  ]);
  const request = { method: "GET", path: "/a", volatile: [{ regex: "(b+)+c" }] };
  const answer = { status: 200, headers: {}, afterMs: 0 };
  const cassette = { interface: "chat", upstream: "", recordings: [{ request, answer }] };
  expect(await warningsOf("cassettes/a.json", JSON.stringify(cassette))).toMatchObject([
    { file: "cassettes/a.json", line: 1 },
  ]);
});
