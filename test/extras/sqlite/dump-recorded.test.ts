import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import {
  cellsIn,
  cellsOf,
  readDump,
  schemaLinesIn,
  schemaLinesOf,
  sqliteOf,
} from "./sqlite-judge.ts";

function recorded(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../recorded/${name}`, import.meta.url)), "utf8");
}

/** What SQLite has for what is left out: the same tables without it. */
function withoutUnsupported(sql: string): string {
  return sql
    .replaceAll(/,? CONSTRAINT small CHECK \(length\(kind\) < 5\)| CHECK \(qty >= 0\)/g, "")
    .replace("area INTEGER GENERATED ALWAYS AS (w * h) STORED, ", "")
    .replace(" STRICT;", ";");
}

test.each([
  ["base.sql", recorded("base.sql")],
  ["base.sql and extra.sql", `${recorded("base.sql")}\n${recorded("extra.sql")}`],
])("reads %s as SQLite does", async (_, text) => {
  const { tables, problems } = await readDump(text, true);
  const sqlite = sqliteOf(withoutUnsupported(text));
  expect(problems).toEqual([]);
  expect(tables.length).toBeGreaterThan(2);
  for (const table of tables) {
    expect(schemaLinesOf(table.schema)).toEqual(schemaLinesIn(sqlite, table.schema));
    expect(cellsOf(table)).toEqual(cellsIn(sqlite, table.schema));
  }
  sqlite.close();
});

test("names everything of extra.sql that is not supported, with its place", async () => {
  const { problems } = await readDump(`${recorded("base.sql")}\n${recorded("extra.sql")}`);
  expect(problems.map(({ message }) => message.replace(/ is not supported\..*/, ""))).toEqual([
    'STRICT of the table "st"',
    'The generated column "area"',
  ]);
});
