import fc from "fast-check";
import { expect, test } from "vitest";
import { tries } from "../../support/tries.ts";
import { columnNames, declaredType, literalFor, sqlName } from "./dump-text.ts";
import { cellsIn, cellsOf, quoted, readDump, sqliteOf } from "./sqlite-judge.ts";
import { select } from "../../support/sqlite-contents.ts";

// SQLite itself is the judge: it runs the same text, and must have the same cells in the same storage classes.

const space = fc.constantFrom(" ", "\n  ", " /* ; */ ", " -- it's; )\n");

/** A table of rows, written in one of many ways. */
const dump = columnNames
  .chain((names) =>
    fc.tuple(...names.map((name) => fc.record({ name: sqlName(name), type: declaredType }))),
  )
  .chain((columns) =>
    fc.record({
      columns: fc.constant(columns),
      order: fc.shuffledSubarray([...columns.keys()], { minLength: 1 }),
      rows: fc.array(fc.tuple(...columns.map(({ type }) => literalFor(type))), { maxLength: 6 }),
      style: fc.constantFrom("one by one", "together", "by name"),
      space,
    }),
  )
  .map(({ columns, order, rows, style, space: gap }) => {
    const declared = columns.map(({ name, type }) => `${name} ${type}`).join(`,${gap}`);
    const create = `CREATE TABLE t(${declared});`;
    const given = style === "by name" ? order : [...columns.keys()];
    const values = rows.map((row) => `(${given.map((at) => row[at]).join(`,${gap}`)})`);
    if (values.length === 0) return `${create}${gap}`;
    if (style === "one by one") {
      return [create, ...values.map((row) => `INSERT${gap}INTO t${gap}VALUES${row}`)].join(";");
    }
    const named = style === "by name" ? `(${order.map((at) => columns[at]?.name).join(",")})` : "";
    return `${create}insert into "T"${named} values${gap}${values.join(",")}`;
  });

test("stores every value as SQLite does", async () => {
  await fc.assert(
    fc.asyncProperty(dump, async (text) => {
      const sqlite = sqliteOf(text);
      const { tables, problems } = await readDump(text);
      expect(problems).toEqual([]);
      expect(tables.map(cellsOf)).toEqual(tables.map(({ schema }) => cellsIn(sqlite, schema)));
      sqlite.close();
    }),
    { numRuns: tries(300) },
  );
}, 60_000);

/** A dump of the table `t` as the shell writes it, with literals of SQLite's own making. */
function shellDump(sqlite: ReturnType<typeof sqliteOf>): string {
  const [[create = ""] = []] = select(sqlite, "SELECT sql FROM sqlite_master WHERE name = 't'");
  const columns = select(sqlite, "PRAGMA table_info(t)").map(([, name]) => quoted(String(name)));
  const literals = columns.map((name) => `unistr_quote(${name})`).join(" || ',' || ");
  const rows = select(sqlite, `SELECT ${literals} FROM t`);
  const inserts = rows.map(([values]) => `INSERT INTO t VALUES(${String(values)});`);
  const statements = [`${String(create)};`, ...inserts, "COMMIT;"];
  return ["PRAGMA foreign_keys=OFF;", "BEGIN TRANSACTION;", ...statements].join("\n");
}

test("reads what SQLite writes", async () => {
  await fc.assert(
    fc.asyncProperty(dump, async (text) => {
      const sqlite = sqliteOf(text);
      const { tables, problems } = await readDump(shellDump(sqlite));
      expect(problems).toEqual([]);
      expect(tables.map(cellsOf)).toEqual(tables.map(({ schema }) => cellsIn(sqlite, schema)));
      sqlite.close();
    }),
    { numRuns: tries(150) },
  );
}, 60_000);
