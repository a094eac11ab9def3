import { expect, test } from "vitest";
import { readFixtureFiles } from "../../../src/core/fixture-set/read-fixtures.ts";
import { folder } from "./problems-of.ts";

test("warns of what no request can get, with its place", async () => {
  const files = folder({
    "chats/a.json":
      '[\n  { "times": 1, "replies": [{ "content": "a" }, { "content": "b" }] },\n' +
      '  { "when": { "turn": 0 }, "reply": { "content": "a", "finishReason": "stopp" } }\n]',
  });

  const { warnings } = await readFixtureFiles(files, { warnOfUnreachable: true });

  expect(warnings.map(({ line, column, message }) => [line, column, message.slice(0, 45)])).toEqual(
    [
      [2, 3, 'The script "a-1" has more replies than its "t'],
      [3, 3, 'The script "a-2" has an unusual finish reason'],
    ],
  );
});
