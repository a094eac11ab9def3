import type { Column, TableSchema } from "../../core/store/schema.ts";
import type { Reference } from "../../core/store/violation.ts";
import { singular, wordsOf } from "./name-words.ts";

/**
 * The reference that a column's name speaks of, where the schema declares none: `post_id` and `postId` are the key of
 * `posts`, as in the files of json-server.
 */
export function impliedReference(
  column: Column,
  own: TableSchema,
  schemas: readonly TableSchema[],
): Reference | undefined {
  const words = wordsOf(column.name);
  if (words.length < 2 || words.at(-1) !== "id") return undefined;
  const wanted = words.slice(0, -1).join("_");
  const target = schemas.find(({ name }) => singularName(name) === wanted);
  const [key, ...others] = target?.primaryKey ?? [];
  if (target === undefined || key === undefined || others.length > 0) return undefined;
  const type = target.columns.find(({ name }) => name === key)?.type;
  if (type !== column.type) return undefined;
  return { table: own.name, columns: [column.name], to: { table: target.name, columns: [key] } };
}

function singularName(table: string): string {
  const words = wordsOf(table);
  return [...words.slice(0, -1), singular(words.at(-1) ?? "")].join("_");
}
