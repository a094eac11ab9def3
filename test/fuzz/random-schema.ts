import { type Affinity, affinity } from "../../src/core/store/column-kinds.ts";
import type { Collation, Column, DeclaredIndex, TableSchema } from "../../src/core/store/schema.ts";
import { sqliteStorage } from "../../src/core/store/storage-rules.ts";
import { anyChild, withOwnReferences } from "./random-references.ts";
import { anyInteger, usualCell } from "./random-values.ts";
import type { Random } from "./random.ts";
import { type SqlCell, storeValue } from "./sql-cell.ts";
import { hiddenRowId } from "./sql-text.ts";

/** A column, and what it mostly has. */
export interface FuzzColumn {
  readonly column: Column;
  readonly affinity: Affinity;
  /** Whether it is the key that is the row id. */
  readonly isRowId: boolean;
}

/** A table's schema, and what its cells are made by. */
export interface FuzzTable {
  readonly schema: TableSchema;
  readonly child: TableSchema | undefined;
  readonly columns: readonly FuzzColumn[];
  /** Whether every row that is written has its integer key, so that none is generated. */
  readonly statesKeys: boolean;
  /** The name of the row id, where it is no column and some rows are given one. */
  readonly givenRowId: string | undefined;
}

const types =
  "INTEGER|INT|BIGINT|REAL|DOUBLE PRECISION|FLOAT|FLOATING POINT|NUMERIC|DECIMAL(10,2)|BOOLEAN|DATE|DATETIME|STRING|TEXT|TEXT|VARCHAR(20)|CHARINT|CLOB|BLOB||".split(
    "|",
  );
const collations: readonly Collation[] = ["BINARY", "BINARY", "BINARY", "NOCASE", "RTRIM"];
const usualNames = ["a", "b", "c", "d", "e", "f", "g"];
const oddNames = ["rowid", "__proto__", "constructor", "é", 'say "x"', "order", "A.b"];

type Key = "none" | "row id" | "single" | "composite";

interface Shape {
  readonly key: Key;
  readonly withoutRowId: boolean;
  readonly autoIncrement: boolean;
  /** How often a column is UNIQUE. */
  readonly uniques: number;
  readonly hasIndexes: boolean;
}

function anyShape(random: Random): Shape {
  const key = random.weighted<Key>([
    [5, "none"],
    [6, "row id"],
    [4, "single"],
    [3, "composite"],
  ]);
  const withoutRowId = (key === "single" || key === "composite") && random.chance(0.4);
  return {
    key,
    withoutRowId,
    autoIncrement: key === "row id" && random.chance(0.3),
    uniques: random.chance(0.5) ? 0.15 : 0,
    hasIndexes: random.chance(0.15),
  };
}

export function anyTable(random: Random): FuzzTable {
  const shape = anyShape(random);
  const names = columnNames(random);
  const primaryKey = keyOf(random, names, shape);
  const columns = names.map((name) => anyColumn(random, name, { shape, primaryKey }));
  const plain: TableSchema = {
    name: "t",
    columns,
    primaryKey,
    ...(shape.hasIndexes ? { indexes: anyIndexes(random, columns) } : {}),
    ...(shape.autoIncrement ? { autoIncrement: true } : {}),
    ...(shape.withoutRowId ? { withoutRowId: true } : {}),
  };
  const schema = random.chance(0.15) ? withOwnReferences(random, plain) : plain;
  return {
    schema,
    child: random.chance(0.15) ? anyChild(random, schema) : undefined,
    columns: schema.columns.map((column) => ({
      column,
      affinity: affinity(column.type),
      isRowId: shape.key === "row id" && column.name === primaryKey[0],
    })),
    statesKeys: shape.key === "row id" && random.chance(0.3),
    givenRowId: random.chance(0.2) ? hiddenRowId(schema) : undefined,
  };
}

function columnNames(random: Random): readonly string[] {
  const names = usualNames.slice(0, random.int(2, usualNames.length));
  if (random.chance(0.1)) names[random.int(0, names.length - 1)] = random.pick(oddNames);
  return names;
}

function keyOf(random: Random, names: readonly string[], { key }: Shape): readonly string[] {
  switch (key) {
    case "none":
      return [];
    case "row id":
      return random.chance(0.8) ? names.slice(0, 1) : [random.pick(names)];
    case "single":
      return [random.pick(names)];
    case "composite":
      return random.shuffled(names).slice(0, random.int(2, 3));
  }
}

function anyColumn(
  random: Random,
  name: string,
  { shape, primaryKey }: { readonly shape: Shape; readonly primaryKey: readonly string[] },
): Column {
  const isKey = primaryKey.includes(name);
  const isRowId = isKey && shape.key === "row id";
  const type = isRowId ? "INTEGER" : typeOf(random, shape.key === "single" && isKey);
  const collate = isRowId ? "BINARY" : random.pick(collations);
  return {
    name,
    type,
    notNull: random.chance(0.1),
    unique: !(isKey && primaryKey.length === 1) && random.chance(shape.uniques),
    default: random.chance(0.15) ? storeValue(defaultCell(random, affinity(type))) : undefined,
    references: undefined,
    collate,
  };
}

/** A single key declared INTEGER would be the row id. */
function typeOf(random: Random, isSingleKey: boolean): string {
  const type = random.pick(types);
  return isSingleKey && sqliteStorage.isRowIdType(type) ? "INT" : type;
}

/** Statements have no place for a NUL in a default. */
function defaultCell(random: Random, kind: Affinity): SqlCell {
  const cell = usualCell(random, kind);
  const isPlain = typeof cell === "bigint" || (typeof cell === "string" && !cell.includes("\0"));
  return isPlain ? cell : anyInteger(random);
}

/** Indexes that have a statement each: the planner sees more of them than of those that a constraint makes. */
function anyIndexes(random: Random, columns: readonly Column[]): readonly DeclaredIndex[] {
  const indexes = random.list(random.int(1, 2), () => ({
    unique: random.chance(0.2),
    columns: random
      .shuffled(columns)
      .slice(0, random.int(1, 2))
      .map(({ name, collate }) => ({
        name,
        collate: random.chance(0.7) ? collate : random.pick(collations),
        descending: random.chance(0.3),
      })),
  }));
  return indexes.map((index, at) => ({
    ...index,
    made: { name: `i${at}`, sql: "", position: at },
  }));
}
