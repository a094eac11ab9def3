import { expect, test } from "vitest";
import { suites } from "../../scripts/matrix/suites.ts";
import config from "../../vitest.config.ts";

/** A file that a pattern of vitest's `include` takes. */
function fileOf(pattern: string): string {
  const [, first = ""] = /\{([^,}]*)/.exec(pattern) ?? [];
  return `/${pattern
    .replace(/\{[^}]*\}/, first)
    .replace("**/", "")
    .replaceAll("*", "a")}`;
}

test("the table of the matrix has a row for all that npm test runs", () => {
  const projects = config.test?.projects ?? [];
  const patterns = projects.flatMap((project) =>
    typeof project === "object" && "test" in project ? (project.test?.include ?? []) : [],
  );
  expect(patterns.length).toBeGreaterThan(3);
  const files = patterns.map(fileOf);
  const without = files.filter((file) => suites.every((suite) => !suite.files.test(file)));
  expect(without).toEqual([]);
});
