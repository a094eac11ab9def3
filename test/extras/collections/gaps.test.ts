import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tableGaps } from "../../support/table-gaps.ts";

const readme = readFileSync(
  new URL("../../../src/extras/collections/README.md", import.meta.url),
  "utf8",
);

test("the room's README names every gap of the conformance suite", () => {
  const plain = readme.replaceAll("\\", "").replace(/\s+/g, " ");
  const titles = Object.values(tableGaps).flatMap((gaps) => Object.keys(gaps));
  expect(titles.filter((title) => !plain.includes(title))).toEqual([]);
});
