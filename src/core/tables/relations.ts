import type { TableSchema } from "../store/schema.ts";

/**
 * The column by which a table refers to another one: a foreign key, else a column whose name says so, such as
 * `postId` or `post_id` for `posts`.
 */
export function referringColumn(
  { columns, foreignKeys = [] }: TableSchema,
  target: string,
): string | undefined {
  const declared = columns.find(({ references }) => references?.table === target)?.name;
  if (declared !== undefined) return declared;
  const sole = foreignKeys.find((key) => key.to.table === target && key.columns.length === 1);
  if (sole !== undefined) return sole.columns[0];
  const names = [target, singular(target)].map((name) => `${plainName(name)}id`);
  return columns.find(({ name }) => names.includes(plainName(name)))?.name;
}

/** The singular of a table's name: `post` for `posts`, `category` for `categories`. */
export function singular(name: string): string {
  if (/ies$/i.test(name)) return `${name.slice(0, -3)}y`;
  return name.replace(/(?<=(?:s|x|ch|sh))es$|(?<!s)s$/i, "");
}

function plainName(name: string): string {
  return name.replaceAll(/[_-]/g, "").toLowerCase();
}
