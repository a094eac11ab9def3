import { counted } from "../../core/errors/counted.ts";
import { didYouMean } from "../../core/errors/nearest-name.ts";
import { showText } from "../../core/errors/show.ts";
import type { ForeignKey, TableSchema } from "../../core/store/schema.ts";
import type { Dump } from "./dump.ts";
import type { WrittenForeignKey } from "./dump-table.ts";
import { foldName } from "./sql-names.ts";

/**
 * The foreign keys of a table by the names that their tables and columns have. What they refer to must be there, and
 * must be unique. `schemas` are those of all tables.
 */
export function linkForeignKeys(
  written: readonly WrittenForeignKey[],
  schemas: readonly TableSchema[],
  dump: Dump,
): readonly ForeignKey[] {
  return written.flatMap((key) => linkForeignKey(key, schemas, dump) ?? []);
}

function linkForeignKey(
  key: WrittenForeignKey,
  schemas: readonly TableSchema[],
  dump: Dump,
): ForeignKey | undefined {
  const linked = targetOf(key, schemas);
  if (typeof linked !== "string") return linked;
  // Why that table is not here was told.
  if (dump.isMissing(key.table)) return undefined;
  // SQLite takes such a key, and refuses every write that has to do with it.
  dump.problems.unsupported(key.place, `A foreign key to ${linked},`);
  return undefined;
}

/** The key with the names of what it refers to, or what that is and why it cannot be referred to. */
function targetOf(
  { table, columns, to: written }: WrittenForeignKey,
  schemas: readonly TableSchema[],
): ForeignKey | string {
  const target = schemas.find(({ name }) => foldName(name) === foldName(table));
  if (target === undefined) {
    const names = schemas.map(({ name }) => name);
    return `the table ${showText(table)}, which is not here${inBrackets(didYouMean(table, names))}`;
  }
  const to = columnsOf(target, written);
  if (typeof to === "string") return to;
  const shown = `${to.map(showText).join(", ")} of ${showText(target.name)}`;
  if (to.length !== columns.length) return `${shown}, from ${counted(columns.length, "column")}`;
  if (!isUnique(target, to)) return `${shown}, which need not be unique`;
  return { columns, to: { table: target.name, columns: to } };
}

function inBrackets(sentence: string): string {
  return sentence === "" ? "" : ` (${sentence.trim()})`;
}

/** The columns referred to, or what is wrong with them. */
function columnsOf(
  { name, columns, primaryKey }: TableSchema,
  written: readonly string[] | undefined,
): readonly string[] | string {
  if (written === undefined) {
    return primaryKey.length > 0 ? primaryKey : `${showText(name)}, which has no primary key`;
  }
  const found: string[] = [];
  for (const wanted of written) {
    const column = columns.find((one) => foldName(one.name) === foldName(wanted));
    if (column === undefined) {
      const near = didYouMean(
        wanted,
        columns.map((one) => one.name),
      );
      return `${showText(`${name}.${wanted}`)}, which is not here${inBrackets(near)}`;
    }
    found.push(column.name);
  }
  return found;
}

function isUnique(
  { columns, primaryKey, indexes = [] }: TableSchema,
  names: readonly string[],
): boolean {
  const isSame = (others: readonly string[]): boolean =>
    others.length === names.length && names.every((name) => others.includes(name));
  return (
    isSame(primaryKey) ||
    columns.some((column) => column.unique && isSame([column.name])) ||
    indexes.some((index) => index.unique && isSame(index.columns.map(({ name }) => name)))
  );
}
