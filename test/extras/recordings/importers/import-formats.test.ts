import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  importFormat,
  importKinds,
} from "../../../../src/extras/recordings/importers/import-formats.ts";

test("the page on imports has a row for each format", () => {
  const page = readFileSync("docs/import.md", "utf8");
  const [, table = ""] = page.split("| `--from` ");
  const rows = (table.split("\n\n")[0] ?? "").split("\n").filter((line) => line.startsWith("| `"));
  const cells = rows.map((row) => row.split("|").map((cell) => cell.trim()));
  const formats = importKinds.map((kind) => {
    const { file, becomes } = importFormat(kind);
    return ["", `\`${kind}\``, file, becomes, ""];
  });
  expect(cells).toEqual(formats);
});
