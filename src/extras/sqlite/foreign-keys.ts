import { counted, didYouMean, showText } from "../../core/errors/show.ts";
import type { ForeignKey, ReferenceActions, TableSchema } from "../../core/store/schema.ts";
import type { TextPlace } from "../../core/fixture-set/tables/table-files.ts";
import { foldAscii } from "../../core/store/text-order.ts";
import type { TableFileProblems } from "./table-file-problems.ts";

/** A foreign key as SQLite keeps it. Its target need not exist. */
export interface WrittenForeignKey extends ReferenceActions {
  readonly columns: readonly string[];
  readonly table: string;
  /** The target's columns. Undefined: the primary key of that table. */
  readonly to: readonly string[] | undefined;
  readonly place: () => TextPlace;
}

/** The tables to which foreign keys may refer. */
export interface LinkContext {
  /** The schemas of all tables. */
  readonly schemas: readonly TableSchema[];
  /** The folded names of the database's tables that were left out. */
  readonly leftOut: ReadonlySet<string>;
  readonly problems: TableFileProblems;
}

/**
 * The schema with its foreign keys, except those whose target is not unique. Of several keys of a single column, the
 * first counts.
 */
export function withForeignKeys(
  schema: TableSchema,
  written: readonly WrittenForeignKey[],
  context: LinkContext,
): TableSchema {
  const linked = written.flatMap((key) => linkForeignKey(key, context) ?? []);
  const ofColumns = new Map<string, ForeignKey>();
  for (const key of linked) {
    const [name, ...others] = key.columns;
    if (name !== undefined && others.length === 0 && !ofColumns.has(name)) ofColumns.set(name, key);
  }
  const columns = schema.columns.map((column) => {
    const key = ofColumns.get(column.name);
    const [target] = key?.to.columns ?? [];
    if (key === undefined || target === undefined) return column;
    const { columns: _columns, to, ...actions } = key;
    return { ...column, references: { table: to.table, column: target, ...actions } };
  });
  const foreignKeys = linked.filter((key) => key !== ofColumns.get(key.columns[0] ?? ""));
  return { ...schema, columns, ...(foreignKeys.length === 0 ? {} : { foreignKeys }) };
}

function linkForeignKey(key: WrittenForeignKey, context: LinkContext): ForeignKey | undefined {
  const linked = targetOf(key, context.schemas);
  if (typeof linked !== "string") return linked;
  // The problem of the target table has been reported already.
  if (context.leftOut.has(foldAscii(key.table))) return undefined;
  // SQLite accepts such a key, and then refuses every write that involves it.
  context.problems.unsupported(key.place(), `A foreign key to ${linked},`);
  return undefined;
}

/** The key with the names of its target, or why the target cannot be referred to. */
function targetOf(
  { table, columns, to: written, place: _place, ...actions }: WrittenForeignKey,
  schemas: readonly TableSchema[],
): ForeignKey | string {
  const target = schemas.find(({ name }) => foldAscii(name) === foldAscii(table));
  if (target === undefined) {
    const names = schemas.map(({ name }) => name);
    return `the table ${showText(table)}, which is not here${inBrackets(didYouMean(table, names))}`;
  }
  const to = columnsOf(target, written);
  if (typeof to === "string") return to;
  const shown = `${to.map(showText).join(", ")} of ${showText(target.name)}`;
  if (to.length !== columns.length) return `${shown}, from ${counted(columns.length, "column")}`;
  if (!isUnique(target, to)) return `${shown}, which need not be unique`;
  return { columns, to: { table: target.name, columns: to }, ...actions };
}

function inBrackets(sentence: string): string {
  return sentence === "" ? "" : ` (${sentence.trim()})`;
}

/** The target columns, or what is wrong with them. */
function columnsOf(
  { name, columns, primaryKey }: TableSchema,
  written: readonly string[] | undefined,
): readonly string[] | string {
  if (written === undefined) {
    return primaryKey.length > 0 ? primaryKey : `${showText(name)}, which has no primary key`;
  }
  const found: string[] = [];
  for (const wanted of written) {
    const column = columns.find((one) => foldAscii(one.name) === foldAscii(wanted));
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
