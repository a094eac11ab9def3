import type { Collation, Column, TableSchema } from "../../src/core/store/schema.ts";
import { refersToItselfOtherwise, refersWithoutType } from "./known-differences.ts";
import type { Random } from "./random.ts";

/** Columns that rows can refer to by their values together. */
function anyTarget(random: Random, schema: TableSchema): readonly string[] | undefined {
  const { columns, primaryKey } = schema;
  const uniques = columns.filter(({ unique }) => unique).map(({ name }) => [name]);
  const targets = [...uniques, ...(primaryKey.length > 0 ? [primaryKey, primaryKey] : [])];
  return targets.length === 0 ? undefined : random.pick(targets);
}

/** The same table with columns that refer to its own rows, where it has some to spare. */
export function withOwnReferences(random: Random, schema: TableSchema): TableSchema {
  const to = anyTarget(random, schema);
  if (to === undefined) return schema;
  const free = schema.columns.map(({ name }) => name).filter((name) => !to.includes(name));
  const from = random.shuffled(free).slice(0, to.length);
  const isOdd = to.some((name, at) =>
    refersToItselfOtherwise(columnOf(schema, from[at]), columnOf(schema, name)),
  );
  if (isOdd || from.length < to.length) return schema;
  return withReference(schema, from, { table: schema.name, to });
}

const types = ["INTEGER", "REAL", "NUMERIC", "TEXT", "TEXT", "BLOB", ""];
const collations: readonly Collation[] = ["BINARY", "BINARY", "NOCASE", "RTRIM"];

/** A table of its own whose rows refer to those of another one. */
export function anyChild(random: Random, parent: TableSchema): TableSchema | undefined {
  const to = anyTarget(random, parent);
  if (to === undefined) return undefined;
  const plain = { unique: false, default: undefined, references: undefined };
  const from = to.map((name, at): Column => {
    const own = columnOf(parent, name);
    const isAlike = random.chance(0.6);
    return {
      ...plain,
      name: `r${at}`,
      type: isAlike ? (own?.type ?? "") : random.pick(types),
      notNull: random.chance(0.2),
      collate: isAlike ? (own?.collate ?? "BINARY") : random.pick(collations),
    };
  });
  const key: Column = { ...plain, name: "k", type: "INTEGER", notNull: false, collate: "BINARY" };
  if (from.some((column, at) => refersWithoutType(column, columnOf(parent, to[at]))))
    return undefined;
  const schema: TableSchema = { name: "child", columns: [key, ...from], primaryKey: ["k"] };
  const names = from.map(({ name }) => name);
  return withReference(schema, names, { table: parent.name, to });
}

function columnOf({ columns }: TableSchema, name: string | undefined): Column | undefined {
  return columns.find((column) => column.name === name);
}

function withReference(
  schema: TableSchema,
  from: readonly string[],
  { table, to }: { readonly table: string; readonly to: readonly string[] },
): TableSchema {
  const [column = "", ...others] = to;
  if (others.length > 0) {
    return { ...schema, foreignKeys: [{ columns: from, to: { table, columns: to } }] };
  }
  const columns = schema.columns.map((own) =>
    own.name === from[0] ? { ...own, references: { table, column } } : own,
  );
  return { ...schema, columns };
}
