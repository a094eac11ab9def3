import type { PrimaryKeyTableConstraint } from "sqlite3-parser";
import { showText } from "../../core/errors/show.ts";
import { sqliteStorage } from "../../core/store/storage-rules.ts";
import type { ColumnDraft } from "./column-draft.ts";
import { placeIn, type Statement } from "./dump.ts";
import type { DumpPlace } from "./dump-place.ts";
import { type FoundKeyPart, readKeyParts } from "./table-constraints.ts";

interface Table {
  readonly name: string;
  readonly place: DumpPlace;
  readonly columns: readonly ColumnDraft[];
  readonly withoutRowId: boolean;
}

/** What is known of a table's primary key. */
interface PrimaryKey {
  readonly primaryKey: readonly string[];
  readonly rowIdAt: number;
  readonly autoIncrement: boolean;
}

/** The key as it is written, with a column or after all columns. */
interface WrittenKey {
  readonly columns: readonly ColumnDraft[];
  /** Whether it says DESC where that counts. */
  readonly descendingAt: DumpPlace | undefined;
  readonly autoIncrement: boolean;
  readonly place: DumpPlace;
}

/** The primary key of a table, which its columns or its constraints may name. */
export function readPrimaryKey(
  constraints: readonly PrimaryKeyTableConstraint[],
  table: Table,
  statement: Statement,
): PrimaryKey {
  const { problems } = statement.dump;
  const [key, second] = writtenKeys(constraints, table, statement);
  if (second !== undefined) {
    const message = `The table ${showText(table.name)} has another primary key. Remove one of the two.`;
    problems.report(second.place, message);
  }
  if (key === undefined) {
    if (table.withoutRowId && constraints.length === 0) {
      problems.report(table.place, "A table WITHOUT ROWID needs a primary key.");
    }
    return { primaryKey: [], rowIdAt: -1, autoIncrement: false };
  }
  if (key.descendingAt !== undefined) {
    const what = `DESC in the primary key of the table ${showText(table.name)}`;
    problems.unsupported(key.descendingAt, what, "the key is ascending");
  }
  return keyOf(key, table, statement);
}

function keyOf(
  { columns, autoIncrement, place }: WrittenKey,
  table: Table,
  { dump: { problems } }: Statement,
): PrimaryKey {
  if (table.withoutRowId) for (const column of columns) column.notNull = true;
  const rowIdAt = rowIdPlace(columns, table);
  if (autoIncrement && rowIdAt === -1) {
    problems.report(place, "AUTOINCREMENT needs an INTEGER PRIMARY KEY in a table with row ids.");
  }
  return {
    primaryKey: columns.map(({ name }) => name),
    rowIdAt,
    autoIncrement: autoIncrement && rowIdAt !== -1,
  };
}

function rowIdPlace([sole, ...others]: readonly ColumnDraft[], table: Table): number {
  if (sole === undefined || others.length > 0 || table.withoutRowId) return -1;
  return sqliteStorage.isRowIdType(sole.type) ? table.columns.indexOf(sole) : -1;
}

function writtenKeys(
  constraints: readonly PrimaryKeyTableConstraint[],
  { columns, withoutRowId }: Table,
  statement: Statement,
): readonly WrittenKey[] {
  const ofColumns = columns.flatMap((column): readonly WrittenKey[] => {
    if (column.key === undefined) return [];
    const { descending, autoIncrement, place } = column.key;
    const descendingAt = descending ? place : undefined;
    return [{ columns: [column], descendingAt, autoIncrement, place }];
  });
  const ofTable = constraints.flatMap((constraint): readonly WrittenKey[] => {
    const parts = readKeyParts(constraint.columns, columns, statement);
    if (parts.length < constraint.columns.length) return [];
    refuseCollations(parts, statement);
    const place = placeIn(statement, constraint);
    const { autoIncrement } = constraint;
    const own = parts.map(({ column }) => column);
    // The row id itself comes in no other order, whatever is written here.
    const isRowId = rowIdPlace(own, { name: "", place, columns, withoutRowId }) !== -1;
    const descending = isRowId ? undefined : parts.find((part) => part.descending);
    const descendingAt = descending && placeIn(statement, descending.node);
    return [{ columns: own, descendingAt, autoIncrement, place }];
  });
  return [...ofColumns, ...ofTable];
}

function refuseCollations(parts: readonly FoundKeyPart[], statement: Statement): void {
  for (const { column, collate, node } of parts) {
    if (collate === column.collate) continue;
    statement.dump.problems.unsupported(
      placeIn(statement, node),
      `Another collation for the column ${showText(column.name)} in the primary key`,
      "the column's own counts",
    );
  }
}
