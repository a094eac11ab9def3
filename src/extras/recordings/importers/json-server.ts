import { showValue } from "../../../core/errors/show.ts";
import { isObject, isPresent, type JsonPath } from "../../../core/schema/json.ts";
import type { JsonRow } from "../../../core/store/value.ts";
import { type Imported, type Tell, createRemarks } from "./imported.ts";
import { usableRow } from "./usable-values.ts";
import { type ImportedTable, validRows, tableFiles } from "./table-files.ts";

/** The tables of a `db.json`. An object is a table of one row. */
export function importJsonServer(db: Readonly<Record<string, unknown>>): Imported {
  const { list, tell } = createRemarks();
  const tables = Object.entries(db).flatMap(([name, value]): ImportedTable[] => {
    if (name === "$schema") return [];
    const rows = rowsOf(name, value, tell);
    return rows === undefined ? [] : [validRows({ name, path: [name], rows }, tell)];
  });
  return { files: tableFiles(tables, findReferences(tables, tell), tell), remarks: list };
}

function rowsOf(name: string, value: unknown, tell: Tell): readonly JsonRow[] | undefined {
  const usable = (row: object, path: JsonPath): JsonRow =>
    usableRow(row as JsonRow, (column, why) => tell([...path, column], `left out: ${why}`));
  if (isObject(value)) {
    tell([name], "the object became a table of one row: requests get a list with that row");
    return [usable(value, [name])];
  }
  if (!Array.isArray(value)) {
    tell([name], `left out: a table has rows, but this is ${showValue(value)}`);
    return undefined;
  }
  return value.flatMap((row: unknown, index) => {
    if (isObject(row)) return [usable(row, [name, index])];
    tell([name, index], `left out: a row is an object, but this is ${showValue(row)}`);
    return [];
  });
}

/**
 * The columns that refer to rows of other tables by json-server's convention: `userId` refers to `users`. The result
 * has the target, such as `users.id`, by table and column. A column with a value that no row of the target has is left
 * out, with a remark.
 */
export function findReferences(
  tables: readonly ImportedTable[],
  tell: Tell,
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const found = new Map<string, ReadonlyMap<string, string>>();
  for (const { name, path, rows } of tables) {
    const references = new Map<string, string>();
    for (const column of new Set(rows.flatMap((row) => Object.keys(row)))) {
      const target = targetOf(column, tables);
      if (target === undefined) continue;
      const ids = new Set(target.rows.map((row) => row["id"]));
      const missing = rows.findIndex((row) => isPresent(row[column]) && !ids.has(row[column]));
      if (missing === -1) references.set(column, `${target.name}.id`);
      else {
        tell(
          [...path, missing, column],
          `the column is not a reference to ${JSON.stringify(target.name)}, where no row has the id ${JSON.stringify(rows[missing]?.[column])}`,
        );
      }
    }
    found.set(name, references);
  }
  return found;
}

function targetOf(column: string, tables: readonly ImportedTable[]): ImportedTable | undefined {
  const target = tableMeantBy(column, tables);
  return target?.rows.some((row) => Object.hasOwn(row, "id")) === true ? target : undefined;
}

/** The table that a column such as `userId` names. */
export function tableMeantBy(
  column: string,
  tables: readonly ImportedTable[],
): ImportedTable | undefined {
  const [, stem] = /^(.+?)(?:Id|_id)$/.exec(column) ?? [];
  if (stem === undefined) return undefined;
  const word = stem.toLowerCase();
  const names = [`${word}s`, `${word}es`, word.replace(/y$/, "ies"), word];
  return tables.find(({ name }) => names.includes(name.toLowerCase()));
}
