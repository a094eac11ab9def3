import { Database } from "../../../src/core/store/database.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import { WholeReal } from "../../../src/core/store/value.ts";
import { column, table } from "../../support/tables.ts";

/** A small shop as SQLite holds it, made anew for each test. */
export function observedShop(): Database {
  const users = table(
    "users",
    [
      "id INTEGER",
      column("name", "TEXT", { notNull: true }),
      column("email", "TEXT", { unique: true }),
      "age INTEGER",
      column("role", "TEXT", { default: "guest" }),
    ],
    {
      rows: [
        { id: 1, name: "Ada", email: "ada@x.test", age: 30, role: "admin" },
        { id: 2, name: "Bob", email: null, age: null, role: null },
        { id: 5, name: "cleo", email: "cleo@x.test", age: 7, role: "guest" },
      ],
    },
  );
  const items = table("items", ["sku TEXT", "price NUMERIC", "raw"], {
    primaryKey: ["sku"],
    rows: [
      { sku: "b", price: 2.5, raw: 5 },
      { sku: "a", price: 10, raw: new WholeReal(5) },
      { sku: "a%20b", price: "free", raw: "5" },
    ],
  });
  const pairs = table("pairs", ["v TEXT", "b INTEGER", "a TEXT"], {
    primaryKey: ["a", "b"],
    rows: [
      { v: "one", b: 1, a: "x" },
      { v: "two", b: 2, a: "x" },
    ],
  });
  const logs = table("logs", ["text TEXT"], { rows: [{ text: "z" }, { text: "y" }] });
  const counted = table("counted", ["id INTEGER", "kind TEXT"], { rows: [{ id: 4, kind: "a" }] });
  const numbered = { ...counted, schema: { ...counted.schema, autoIncrement: true } };
  const orders = table(
    "orders",
    ["id INTEGER", column("user_id", "INTEGER", { references: { table: "users", column: "id" } })],
    { rows: [{ id: 1, user_id: 1 }] },
  );
  return Database.load([users, items, pairs, logs, numbered, orders], { storage: sqliteStorage });
}
