import { isObject } from "../../../core/schema/json.ts";
import { showValue } from "../../../core/errors/show.ts";
import type { JsonRow } from "../../../core/store/value.ts";
import { findReferences } from "./find-references.ts";
import { createRemarks, type Imported, type Tell } from "./imported.ts";
import { soundRows } from "./sound-rows.ts";
import { type ImportedTable, tableFiles } from "./table-files.ts";

/** The tables of a `db.json`. An object is a table of one row. */
export function importJsonServer(db: Readonly<Record<string, unknown>>): Imported {
  const { list, tell } = createRemarks();
  const tables = Object.entries(db).flatMap(([name, value]): ImportedTable[] => {
    if (name === "$schema") return [];
    const rows = rowsOf(name, value, tell);
    return rows === undefined ? [] : [soundRows({ name, path: [name], rows }, tell)];
  });
  return { files: tableFiles(tables, findReferences(tables, tell), tell), remarks: list };
}

function rowsOf(name: string, value: unknown, tell: Tell): readonly JsonRow[] | undefined {
  if (isObject(value)) {
    tell([name], "the object became a table of one row: read it as the first of a list");
    return [value as JsonRow];
  }
  if (!Array.isArray(value)) {
    tell([name], `left out: a table has rows, and this is ${showValue(value)}`);
    return undefined;
  }
  return value.flatMap((row: unknown, index) => {
    if (isObject(row)) return [row as JsonRow];
    tell([name, index], `left out: a row is an object, and this is ${showValue(row)}`);
    return [];
  });
}
