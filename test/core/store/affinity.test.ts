import { expect, test } from "vitest";
import { columnKind } from "../../../src/core/store/column-kinds.ts";

test.each([
  ["INTEGER", "INTEGER"],
  ["bigint", "INTEGER"],
  ["FLOATING POINT", "INTEGER"],
  ["CHARINT", "INTEGER"],
  ["VARCHAR(20)", "TEXT"],
  ["CLOB", "TEXT"],
  ["text", "TEXT"],
  ["BLOB", "NONE"],
  ["", "NONE"],
  ["  ", "NONE"],
  ["DOUBLE PRECISION", "REAL"],
  ["FLOAT", "REAL"],
  ["REAL", "REAL"],
  ["DATE", "NUMERIC"],
  ["DECIMAL(10,2)", "NUMERIC"],
  ["BOOL", "BOOLEAN"],
  ["tinyint(1)", "BOOLEAN"],
  ["TINYINT(4)", "INTEGER"],
  ["boolean", "BOOLEAN"],
  ["Json", "JSON"],
  [" ANY ", "ANY"],
])("reads the type %j as %s", (type, kind) => {
  expect(columnKind(type)).toBe(kind);
});
