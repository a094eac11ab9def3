import type {
  ForeignKeyTableConstraint,
  NamedTableConstraint,
  PrimaryKeyTableConstraint,
  SortedColumn,
  UniqueTableConstraint,
} from "sqlite3-parser";
import { showText } from "../../core/errors/show.ts";
import type { DeclaredIndex } from "../../core/store/schema.ts";
import type { ColumnDraft } from "./column-draft.ts";
import { findColumn, type KeyPart, keyPartOf, readCollation } from "./column-names.ts";
import { refuseConflictClause } from "./conflict-clause.ts";
import { placeIn, type Statement } from "./dump.ts";
import type { WrittenForeignKey } from "./dump-table.ts";
import { readForeignKey } from "./read-foreign-key.ts";

/** What the constraints after a table's columns say. */
export interface TableConstraints {
  readonly keys: PrimaryKeyTableConstraint[];
  readonly uniques: DeclaredIndex[];
  readonly foreignKeys: WrittenForeignKey[];
}

interface Context {
  readonly columns: readonly ColumnDraft[];
  readonly statement: Statement;
  readonly table: string;
}

/** Reads the constraints after a table's columns. What is not supported is told of and left out. */
export function readTableConstraints(
  constraints: readonly NamedTableConstraint[],
  context: Context,
): TableConstraints {
  const found: TableConstraints = { keys: [], uniques: [], foreignKeys: [] };
  const owner = `the table ${showText(context.table)}`;
  for (const { constraint } of constraints) {
    if ("conflictClause" in constraint) {
      refuseConflictClause(constraint, context.statement, owner);
    }
    switch (constraint.type) {
      case "PrimaryKeyTableConstraint":
        found.keys.push(constraint);
        break;
      case "UniqueTableConstraint":
        addUnique(constraint, found, context);
        break;
      case "ForeignKeyTableConstraint":
        addForeignKey(constraint, found, context);
        break;
      case "CheckTableConstraint": {
        const place = placeIn(context.statement, constraint);
        context.statement.dump.problems.unsupported(place, `A CHECK constraint of ${owner}`);
      }
    }
  }
  return found;
}

/** One column alone is said with the column, unless it compares or is sorted otherwise there. */
function addUnique(
  { columns: written }: UniqueTableConstraint,
  { uniques }: TableConstraints,
  { columns, statement }: Context,
): void {
  const parts = readKeyParts(written, columns, statement);
  const [sole, ...others] = parts;
  // With fewer columns it would forbid more.
  if (sole === undefined || parts.length < written.length) return;
  const index: DeclaredIndex = {
    columns: parts.map(({ column: { name }, collate, descending }) => ({
      name,
      collate,
      descending,
    })),
    unique: true,
  };
  const isOfColumn = others.length === 0 && sole.collate === sole.column.collate;
  // SQLite makes one index of constraints that say the same, in whatever order.
  if (isOfColumn && sole.column.unique) return;
  if (uniques.some((known) => describe(known) === describe(index))) return;
  if (isOfColumn && !sole.descending) sole.column.unique = true;
  else uniques.push(index);
}

function describe({ columns }: DeclaredIndex): string {
  return JSON.stringify(columns.map(({ name, collate }) => [name, collate]));
}

/** A column of a key, found. */
export interface FoundKeyPart {
  readonly column: ColumnDraft;
  readonly collate: ColumnDraft["collate"];
  readonly descending: boolean;
  readonly node: KeyPart["node"];
}

/** The columns of a key. Those that are not there are reported and left out. */
export function readKeyParts(
  written: readonly SortedColumn[],
  columns: readonly ColumnDraft[],
  statement: Statement,
): readonly FoundKeyPart[] {
  return written.flatMap((sorted): readonly FoundKeyPart[] => {
    const part = keyPartOf(sorted);
    if (part === undefined) {
      const message = "A key has columns only. Write an index on an expression as CREATE INDEX.";
      statement.dump.problems.report(placeIn(statement, sorted.expr), message);
      return [];
    }
    const { node, collation, descending } = part;
    const column = findColumn(part.name, columns, { statement, node });
    if (column === undefined) return [];
    const own = column.collate;
    const collate =
      collation === undefined ? own : (readCollation(collation, statement, node) ?? own);
    return [{ column, collate, descending, node }];
  });
}

function addForeignKey(
  { columns: written, clause }: ForeignKeyTableConstraint,
  { foreignKeys }: TableConstraints,
  { columns, statement }: Context,
): void {
  const found = written.flatMap(
    ({ colName }) => findColumn(colName.text, columns, { statement, node: colName }) ?? [],
  );
  if (found.length < written.length) return;
  const names = found.map(({ name }) => name);
  foreignKeys.push(readForeignKey(names, clause, statement));
}
