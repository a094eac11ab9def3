import { type Affinity, affinity } from "../../core/store/column-kinds.ts";
import type { Collation, Column } from "../../core/store/schema.ts";
import type { ColumnDefinition } from "sqlite3-parser";
import { type DumpColumn, type WrittenForeignKey } from "./dump-table.ts";
import type { DumpPlace } from "./dump-place.ts";
import { placeIn, type Statement } from "./dump.ts";
import { unquoteName } from "./sql-names.ts";

/** A column while its constraints are read. */
export interface ColumnDraft {
  readonly name: string;
  readonly type: string;
  readonly affinity: Affinity;
  readonly place: DumpPlace;
  notNull: boolean;
  unique: boolean;
  default: Column["default"];
  collate: Collation;
  foreignKeys: WrittenForeignKey[];
  /** Where the column says that it is the primary key. */
  key:
    | { readonly descending: boolean; readonly autoIncrement: boolean; readonly place: DumpPlace }
    | undefined;
  isGenerated: boolean;
}

/** A column before anything is known of its constraints. */
export function draftColumn(
  { colName, colType }: ColumnDefinition,
  statement: Statement,
): ColumnDraft {
  const { file, start } = statement;
  const { offset = 0, length = 0 } = colType?.span ?? {};
  const type = typeText(file.text.slice(start + offset, start + offset + length));
  return {
    name: colName.text,
    type,
    affinity: affinity(type),
    place: placeIn(statement, colName),
    notNull: false,
    unique: false,
    default: undefined,
    collate: "BINARY",
    foreignKeys: [],
    key: undefined,
    isGenerated: false,
  };
}

/** A declared type as it is written, on one line. */
function typeText(written: string): string {
  const type = /^["'`[]/.test(written) ? unquoteName(written) : written;
  return type.replace(/\s+/g, " ").trim();
}

/** The column as the store knows it. */
export function finishColumn(draft: ColumnDraft): DumpColumn {
  const { name, type, notNull, unique, collate, affinity: ownAffinity, place } = draft;
  const column: Column = {
    name,
    type,
    notNull,
    unique,
    default: draft.default,
    references: undefined,
    collate,
  };
  return { column, affinity: ownAffinity, place };
}
