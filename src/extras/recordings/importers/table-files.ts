import {
  type TableInput,
  columnTypePattern,
} from "../../../core/fixture-set/format/table-format.ts";
import { type JsonPath, type JsonValue, defined } from "../../../core/schema/json.ts";
import { inferColumns } from "../../../core/store/schema.ts";
import type { JsonRow } from "../../../core/store/value.ts";
import { type ImportedFile, type Tell, jsonFile } from "./imported.ts";

/** A column as described outside the rows, such as by a schema. */
export interface KnownColumn {
  readonly type?: string;
  readonly default?: JsonValue;
  readonly notNull?: boolean;
}

/** A table that is imported. */
export interface ImportedTable {
  readonly name: string;
  /** The table's place in the imported file. */
  readonly path: JsonPath;
  readonly rows: readonly JsonRow[];
  /** The columns that are known from outside the rows, whether rows have them or not. Default: none. */
  readonly columns?: ReadonlyMap<string, KnownColumn>;
  /** Rows that are made at each start. Default: none. */
  readonly generate?: TableInput["generate"];
  /** The name of the key column. Default: `id`, if there is such a column. */
  readonly primaryKey?: string | undefined;
}

/** The files of tables. `references` has the targets of columns, by table and column. */
export function tableFiles(
  tables: readonly ImportedTable[],
  references: ReadonlyMap<string, ReadonlyMap<string, string>>,
  tell: Tell,
): readonly ImportedFile[] {
  const names = new Set<string>();
  const kept = tables.filter(({ name, path }) => {
    const problem = nameProblem(name, names);
    if (problem !== undefined) tell(path, `the table was left out: ${problem}`);
    else names.add(name.toLowerCase());
    return problem === undefined;
  });
  const types = new Map<string, string>();
  for (const table of kept) {
    for (const [column, type] of typesOf(table)) types.set(`${table.name}.${column}`, type);
  }
  return kept.map((table) => {
    // A reference is kept only if the target was imported and both columns have the same type.
    const own = [...(references.get(table.name) ?? [])].filter(([column, target]) => {
      const both = [types.get(target), types.get(`${table.name}.${column}`)];
      return both[0] === both[1] || (both[0] !== undefined && both.includes("ANY"));
    });
    return jsonFile(`tables/${table.name}.json`, documentOf(table, new Map(own)));
  });
}

/** Why a table cannot have a file of its name; undefined if it can. */
function nameProblem(name: string, taken: ReadonlySet<string>): string | undefined {
  if (!canBeFileName(name)) return `${JSON.stringify(name)} cannot be the name of a file`;
  // Some systems ignore case in file names.
  if (!taken.has(name.toLowerCase())) return undefined;
  return `another one is called ${JSON.stringify(name)}, except for case`;
}

type ColumnInput = NonNullable<TableInput["columns"]>[string];

function documentOf(
  table: ImportedTable,
  references: ReadonlyMap<string, string>,
): TableInput | readonly JsonRow[] {
  const { rows, columns = new Map(), primaryKey, generate } = table;
  const types = typesOf(table);
  if (types.size === 0) return [];
  const all = [...types].map(([name, type]): [string, ColumnInput] => {
    const { default: usual, notNull } = columns.get(name) ?? {};
    const more = defined({
      notNull: notNull === true ? true : undefined,
      default: usual,
      references: references.get(name),
    });
    return [name, Object.keys(more).length === 0 ? type : { type, ...more }];
  });
  return {
    ...defined({ primaryKey }),
    columns: Object.fromEntries(all),
    ...(generate === undefined ? { rows } : { generate }),
  };
}

/** The types of a table's columns by name: first the known columns, then those that only rows have. */
function typesOf({ rows, columns = new Map() }: ImportedTable): ReadonlyMap<string, string> {
  const inferred = new Map(inferColumns(rows).map(({ name, type }) => [name, type]));
  const names = new Set([...columns.keys(), ...inferred.keys()]);
  return new Map(
    [...names].map((name) => [name, typeOf(inferred.get(name), columns.get(name)?.type)]),
  );
}

/** The type of a column: that of its values in the rows, else the known one. */
function typeOf(inferred: string | undefined, known: string | undefined): string {
  const told = known !== undefined && columnTypePattern.test(known) ? known : undefined;
  if (inferred === undefined || inferred === "ANY") return told ?? "ANY";
  // A REAL column may happen to have only whole numbers.
  return inferred === "INTEGER" && told === "REAL" ? told : inferred;
}

/**
 * A table without what a fixture table cannot have: columns without a name and, if the key is `id`, rows without an id
 * of their own.
 */
export function validRows(table: ImportedTable, tell: Tell): ImportedTable {
  const { path } = table;
  const named = table.rows.map((row, index) => {
    if (!Object.hasOwn(row, "")) return row;
    tell([...path, index, ""], "left out: a column needs a name");
    return Object.fromEntries(Object.entries(row).filter(([name]) => name !== ""));
  });
  const isId = table.primaryKey === undefined || table.primaryKey === "id";
  const isThere =
    named.some((row) => Object.hasOwn(row, "id")) || table.columns?.has("id") === true;
  const hasIds = isId && isThere;
  return {
    ...table,
    rows: hasIds ? withIds(named, (index, why) => tell([...path, index], why)) : named,
  };
}

function withIds(
  rows: readonly JsonRow[],
  tell: (index: number, why: string) => void,
): readonly JsonRow[] {
  const ids = new Map<string, unknown>();
  return rows.filter((row, index) => {
    const id = Object.hasOwn(row, "id") ? row["id"] : null;
    const problem = idProblem(id, ids);
    if (problem !== undefined) tell(index, `left out: ${problem}`);
    if (typeof id === "string" || typeof id === "number") ids.set(String(id), id);
    return problem === undefined;
  });
}

function idProblem(id: unknown, taken: ReadonlyMap<string, unknown>): string | undefined {
  if (typeof id !== "string" && typeof id !== "number") {
    return "its id, the key of the other rows, is neither a text nor a number here";
  }
  const other = taken.get(String(id));
  if (other === undefined) return undefined;
  const known = `another row has the id ${JSON.stringify(other)}`;
  return other === id ? known : `${known}, which is the same in a path as ${JSON.stringify(id)}`;
}

/** Whether a table can have a file of its own in a fixtures folder. */
export function canBeFileName(table: string): boolean {
  // Hidden files and readmes are not read as tables. Some systems do not allow these characters, or long names. A path
  // such as `../x` must not lead out of the folder.
  const isUsual = /^[^\p{Cc}\\/:*?"<>|.][^\p{Cc}\\/:*?"<>|]{0,99}$/u.test(table);
  return isUsual && !/^readme/i.test(table) && !/[. ]$/.test(table);
}
