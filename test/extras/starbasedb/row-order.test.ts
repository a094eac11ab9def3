import { expect, test } from "vitest";
import { rowOrder } from "../../../src/extras/starbasedb/row-order.ts";
import type { Condition } from "../../../src/core/store/operators.ts";
import type { DeclaredIndex, TableSchema } from "../../../src/core/store/schema.ts";
import { column } from "../../support/tables.ts";

// Each is what SQLite 3.47 does; row-order.property.test.ts asks it about others.

const users: TableSchema = {
  name: "users",
  columns: [
    column("id", "INTEGER"),
    column("name", "TEXT"),
    column("email", "TEXT", { unique: true }),
    column("age", "INTEGER"),
    column("city", "TEXT"),
  ],
  primaryKey: ["id"],
};
const { columns } = users;
const skus: TableSchema = { ...users, name: "skus", primaryKey: ["name"] };
const pairs: TableSchema = {
  ...users,
  name: "pairs",
  primaryKey: ["city", "age"],
  withoutRowId: true,
};

/** An index, its columns given as `name`, `-name` for descending order, `name NOCASE`. */
function index(...keys: readonly string[]): DeclaredIndex {
  const parts = keys.map((key) => {
    const [name = "", collate] = key.replace("-", "").split(" ");
    return {
      name,
      collate: collate === "NOCASE" ? collate : "BINARY",
      descending: key.startsWith("-"),
    } as const;
  });
  return { columns: parts, unique: false };
}

const uniquePairs: TableSchema = {
  ...pairs,
  columns: columns.slice(2),
  indexes: [{ ...index("age", "email"), unique: true }],
};

/** A condition from `name op value`; values of IN are split at commas. */
function condition(text: string): Condition {
  const [name = "", operator = "", value = ""] = text.split(" ");
  switch (operator) {
    case "in":
      return { column: name, operator, values: value.split(",") };
    case "eq":
    case "ne":
    case "gt":
    case "lt":
    case "like":
      return { column: name, operator, value };
    default:
      throw new Error(operator);
  }
}

/** The keys, `-` standing for descending order, with the row id where its order is not the plain one. */
function orderOf(schema: TableSchema, where: readonly string[], sort: string): string {
  const key = { column: sort.replace("-", ""), descending: sort.startsWith("-") };
  const order = rowOrder(schema, where.map(condition), sort === "" ? undefined : key);
  const keys = order.by.map(({ column: name, descending, collate = "" }) =>
    `${descending ? "-" : ""}${name} ${collate}`.trim(),
  );
  return [...keys, ...(order.rowIdDescending === true ? ["-rowid"] : [])].join(", ");
}

test.each([
  ["nothing", users, [], "", ""],
  ["a condition without index", users, ["age gt 5", "name eq a"], "", ""],
  ["!= on an index", users, ["email ne a"], "", ""],
  ["a bound on an index", users, ["email gt a"], "", "email"],
  ["IN on an index", users, ["email in b,a"], "", "email"],
  ["IN with one value", users, ["email in b"], "", ""],
  ["a bound on the row id beside one on an index", users, ["email gt a", "id gt 5"], "", ""],
  ["LIKE on an index that heeds case", users, ["email like a%"], "", ""],
  ["a bound on the later of two indexes", skus, ["name gt a", "email gt a"], "", "email"],
  ["a table without row ids", pairs, [], "", "city, age"],
  ["one whose columns are unique together", uniquePairs, [], "", "city, age"],
])(
  "visits rows in index order only where the plan uses one: %s",
  (_, schema, where, sort, order) => {
    expect(orderOf(schema, where, sort)).toBe(order);
  },
);

test.each([
  ["a column without index", users, [], "-age", "-age"],
  ["a column with an index", users, [], "email", "email"],
  ["that column in descending order", users, [], "-email", "-email, -rowid"],
  ["the row id in descending order", users, ["age gt 5"], "-id", "-rowid"],
  ["a column that a condition sets to one value", users, ["age eq 5"], "-age", ""],
  ["another column than that of a bound", users, ["email gt a"], "-age", "-age, email"],
  ["another column than that of IN", users, ["email in a,b"], "age", "age, email"],
  ["the key of a table without row ids", pairs, [], "-city", "-city, -age, -rowid"],
])("keeps ties as they are visited when sorting by %s", (_, schema, where, sort, order) => {
  expect(orderOf(schema, where, sort)).toBe(order);
});

test.each([
  ["walks the columns behind one value", [index("city", "-age")], ["city eq a"], "", "-age"],
  ["is walked backwards as a whole", [index("city", "-age")], ["city eq a"], "age", "age, -rowid"],
  [
    "needs no sorting behind one value",
    [index("city", "age")],
    ["city eq a"],
    "-age",
    "-age, -rowid",
  ],
  [
    "wins with an equality over a bound on a unique column",
    [index("city")],
    ["city eq a", "email gt a"],
    "",
    "",
  ],
  [
    "wins if it is newer than an equal one",
    [index("city", "-age"), index("city", "age")],
    ["city gt a"],
    "",
    "city, age",
  ],
  ["compares by the collation of the column", [index("city NOCASE")], ["city gt a"], "", ""],
  [
    "ends with the collation of the index",
    [index("age", "city NOCASE")],
    ["age gt 5"],
    "",
    "age, city NOCASE",
  ],
])("an index %s", (_, indexes, where, sort, order) => {
  expect(orderOf({ ...users, columns, indexes }, where, sort)).toBe(order);
});
