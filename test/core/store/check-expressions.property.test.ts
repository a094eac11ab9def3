import * as fc from "fast-check";
import initSqlJs from "sql.js-period";
import { expect, test } from "vitest";
import { compileExpression } from "../../../src/core/store/checks/compile-expression.ts";
import { parseExpression } from "../../../src/core/store/checks/parse-expression.ts";
import type { Scalar } from "../../../src/core/store/checks/scalar.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import { readDump } from "../../extras/sqlite/sqlite-judge.ts";
import { tries } from "../../support/tries.ts";

// SQLite itself is the judge of what an expression of a CHECK constraint is for a row.

const SQL = await initSqlJs();

const ddl =
  'CREATE TABLE t (i INTEGER, r REAL, n NUMERIC, s TEXT, c VARCHAR(9) COLLATE NOCASE, b BLOB, "a b", flag BOOLEAN);\n';
const columns = ["i", "r", "n", "s", "c", "b", '"a b"', "flag", "[s]", "t.c", "`i`"];

const literal = fc.constantFrom(
  ..."NULL|0|1|-1|2|5|5.0|0.5|1e3|9223372036854775807|'a'|'A'|'abc'|'ABC '|''|'5'|'5.0'|' 7'|'1x'|x'61'|x''|TRUE|FALSE|'é'|'{\"a\":1}'|'[1'|'it''s'".split(
    "|",
  ),
);
const cell = fc.constantFrom(
  ..."NULL|0|1|-3|5|5.5|-0.5|9007199254740993|'a'|'B'|'abc'|'5'|' 5'|''|'{}'|x'61'|'A%'|'é'|'a_c'|'x '".split(
    "|",
  ),
);
const pattern = fc.constantFrom(
  "'a%'",
  "'%b%'",
  "'_'",
  "''",
  "'A*'",
  "'[a-c]*'",
  "'?'",
  "'[^a]*'",
  "'*5'",
  "s",
);

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    literal,
    fc.constantFrom(...columns),
    binary(tie("expression")),
    special(tie("expression")),
    call(tie("expression")),
  ),
}));

function binary(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const operator = fc.constantFrom(
    ..."= == <> != < <= > >= + - * / % || AND OR IS & | << >>".split(" "),
    "IS NOT",
    "IS NOT DISTINCT FROM",
  );
  const bare = fc.tuple(inner, operator, inner).map((parts) => parts.join(" "));
  return fc.oneof(
    bare,
    bare.map((text) => `(${text})`),
  );
}

function special(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const not = fc.constantFrom("", "NOT ");
  return fc.oneof(
    inner.map((text) => `NOT ${text}`),
    inner.map((text) => `-${text}`),
    inner.map((text) => `+${text}`),
    inner.map((text) => `~ ${text}`),
    inner.map((text) => `(${text}) COLLATE NOCASE`),
    fc
      .tuple(inner, fc.constantFrom("ISNULL", "NOTNULL", "NOT NULL", "IS NULL", "IS NOT NULL"))
      .map((parts) => parts.join(" ")),
    fc
      .tuple(inner, fc.constantFrom("IS TRUE", "IS NOT FALSE", "IS FALSE"))
      .map((parts) => parts.join(" ")),
    fc
      .tuple(inner, not, fc.array(inner, { maxLength: 3 }))
      .map(([own, word, list]) => `${own} ${word}IN (${list.join(", ")})`),
    fc
      .tuple(inner, not, inner, inner)
      .map(([own, word, low, high]) => `${own} ${word}BETWEEN (${low}) AND (${high})`),
    fc.tuple(inner, not, fc.constantFrom("LIKE", "GLOB"), pattern).map((parts) => parts.join(" ")),
    fc
      .tuple(inner, inner, inner)
      .map(([when, then, other]) => `CASE WHEN ${when} THEN ${then} ELSE ${other} END`),
    fc
      .tuple(inner, inner, inner)
      .map(([own, when, then]) => `CASE ${own} WHEN ${when} THEN ${then} END`),
    fc
      .tuple(inner, fc.constantFrom("INTEGER", "REAL", "TEXT", "NUMERIC", "VARCHAR(3)"))
      .map(([own, type]) => `CAST(${own} AS ${type})`),
  );
}

function call(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const one = fc.constantFrom(
    ..."length lower UPPER trim ltrim rtrim abs typeof json_valid hex round".split(" "),
  );
  const two = fc.constantFrom(..."coalesce ifnull nullif trim instr min max substr iif".split(" "));
  return fc.oneof(
    fc.tuple(one, inner).map(([name, given]) => `${name}(${given})`),
    fc
      .tuple(two, inner, inner)
      .map(([name, ...given]) => `${name}(${given.join(", ")}${name === "iif" ? ", 'no'" : ""})`),
    fc
      .tuple(inner, fc.integer({ min: -4, max: 4 }), fc.integer({ min: -3, max: 4 }))
      .map(([given, from, size]) => `substr(${given}, ${from}, ${size})`),
    fc.tuple(inner, inner, inner).map((given) => `replace(${given.join(", ")})`),
  );
}

/** A value and its type, as both sides tell it. */
function told(value: Scalar): string {
  if (value === null) return "null";
  if (value instanceof Uint8Array) return `blob ${Buffer.from(value).toString("hex")}`;
  // Both write 15 digits.
  return typeof value === "number" ? `real ${value.toPrecision(15)}` : `${typeof value} ${value}`;
}

test("evaluates expressions as SQLite does", async () => {
  const { tables } = await readDump(ddl);
  const schema = tables[0]?.schema;
  if (schema === undefined) throw new Error("There is no table.");
  const names = schema.columns.map(({ name }) => name);
  const rows = fc.array(cell, { minLength: 8, maxLength: 8 });
  const property = fc.asyncProperty(
    rows,
    fc.array(expression, { minLength: 20, maxLength: 20 }),
    async (cells, texts) => {
      const insert = `INSERT INTO t VALUES (${cells.join(", ")});`;
      const sqlite = new SQL.Database();
      sqlite.run(ddl + insert);
      const row = (await readDump(ddl + insert)).tables[0]?.rows[0] ?? {};
      for (const text of texts) {
        let expected: Scalar;
        try {
          const statement = sqlite.prepare(`SELECT ${text} FROM t`);
          statement.step();
          expected = statement.get(null, { useBigInt: true })[0] ?? null;
          statement.free();
        } catch {
          // An integer that is too large, or an expression nested too deeply.
          continue;
        }
        const { expression: parsed } = parseExpression(text, names);
        const value = compileExpression(parsed, schema.columns, sqliteStorage)(row);
        expect([text, told(value)], insert).toEqual([text, told(expected)]);
      }
      sqlite.close();
    },
  );
  await fc.assert(property, { numRuns: tries(1_500) });
});
