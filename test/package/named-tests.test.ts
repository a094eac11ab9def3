import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The files of tests that a text names. */
function testsIn(text: string): readonly string[] {
  return [...text.matchAll(/`(test\/[\w./-]+\.test\.ts)`/g)].map(([, path = ""]) => path);
}

test.each([
  "contributing.md",
  "security.md",
  "reliability.md",
  "limits.md",
  "scaling.md",
  "postgresql.md",
])("the tests that docs/%s names exist", (page) => {
  const named = testsIn(readFileSync(join(root, "docs", page), "utf8"));
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("each promise of docs/reliability.md names its test, and figures stand apart", () => {
  const page = readFileSync(join(root, "docs/reliability.md"), "utf8");
  const [promises = "", measured] = page.split("\n## Measured, not promised\n");
  const bullets = promises.split("\n").filter((line) => line.startsWith("- "));
  expect(bullets.length).toBeGreaterThan(10);
  expect(bullets.filter((bullet) => testsIn(bullet).length === 0)).toEqual([]);
  expect(measured).toMatch(/^\s*On two cores/);
});

test("each row of the table of promises in docs/security.md names its test", () => {
  const page = readFileSync(join(root, "docs/security.md"), "utf8");
  const [, table = ""] = /^## What holds each promise$(.*)/ms.exec(page) ?? [];
  const rows = table.trim().split("\n").slice(2);
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter((row) => testsIn(row).length === 0)).toEqual([]);
});
