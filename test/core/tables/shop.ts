import { Database } from "../../../src/core/store/database.ts";
import { column, table } from "../../support/tables.ts";

/** A small shop, made anew for each test. */
export function shop(): Database {
  return Database.load([
    table(
      "users",
      [
        "id INTEGER",
        column("name", "TEXT", { notNull: true }),
        column("email", "TEXT", { unique: true }),
        column("active", "BOOLEAN", { default: true }),
        "score REAL",
      ],
      {
        rows: [
          { id: 1, name: "Ada", email: "ada@example.com", active: true, score: 9.5 },
          { id: 2, name: "Bob", email: "bob@example.com", active: 1, score: 3 },
          { id: 3, name: "Cleo", email: null, active: false, score: null },
          { id: 5, name: "Eve", email: "eve@example.com", active: 0, score: 3 },
        ],
      },
    ),
    table("pairs", ["a TEXT", "b INTEGER", "v TEXT"], {
      primaryKey: ["a", "b"],
      rows: [
        { a: "x", b: 1, v: "x1" },
        { a: "x,y", b: 2, v: "xy2" },
      ],
    }),
    table("logs", ["text TEXT", "level ANY"], {
      rows: [
        { text: "b", level: 5 },
        { text: "a", level: "5" },
      ],
    }),
    table("products", ["sku TEXT", "a.b TEXT", "limit INTEGER", "meta JSON", "made DATE"], {
      primaryKey: ["sku"],
      rows: [
        { sku: "a b/c", "a.b": "dot", limit: 5, meta: { tags: ["x"] }, made: "2024-05-01" },
        { sku: "p,q", "a.b": "", limit: 7, meta: [1, 2], made: 20240601 },
      ],
    }),
    table(
      "orders",
      [
        "id INTEGER",
        column("user_id", "INTEGER", { references: { table: "users", column: "id" } }),
      ],
      { rows: [{ id: 1, user_id: 1 }] },
    ),
  ]);
}
