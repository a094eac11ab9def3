import { expect, test } from "vitest";
import { runOwnVitest } from "../../support/own-vitest.ts";
import { cases } from "./open-answers/left-answers.ts";
import { folder, run } from "./open-answers/run.ts";

test("keeps a test of node:test running until its timeout fires", async () => {
  const { code, out } = await run("--test", "--test-reporter=tap", "node-tests.ts");
  expect(out).toContain(`# pass ${2 * cases.length}`);
  expect(code).toBe(0);
});

test("keeps a test of vitest running until its timeout fires", async () => {
  const { code, out } = await runOwnVitest(folder, []);
  expect(out).toMatch(new RegExp(`Tests +${2 * cases.length} passed`));
  expect(code).toBe(0);
});
