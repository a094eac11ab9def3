import { expect, test } from "vitest";
import { readFixtureFiles } from "../../../src/core/fixture-set/read-fixtures.ts";
import { folder } from "./problems-of.ts";

test("warns of scripts that no request can get, and of slashes, with their places", async () => {
  const files = folder({
    "chats/a.json":
      '[\n  { "when": { "user": { "regex": "/a/i" } }, "reply": { "content": "a" } },\n' +
      '  { "when": { "turn": 0 }, "reply": { "content": "a" } },\n' +
      '  { "when": { "turn": 0 }, "reply": { "content": "b" } }\n]',
  });

  const { warnings } = await readFixtureFiles(files, { warnOfUnreachable: true });

  expect(warnings.map(({ line, column, message }) => [line, column, message.slice(0, 45)])).toEqual(
    [
      [4, 3, 'The script "a-3" can never answer: "a-2" (fx/'],
      [2, 34, 'The script "a-1" looks for "/a/i" with its sl'],
    ],
  );
});
