/**
 * How a column's values are stored and compared: an affinity of SQLite, or one of our own types
 * `BOOLEAN`, `JSON` and `ANY`.
 */
export type ColumnKind =
  | "INTEGER"
  | "REAL"
  | "NUMERIC"
  | "TEXT"
  | "NONE"
  | "BOOLEAN"
  | "JSON"
  | "ANY";

/** The kind of a declared type: our own three by name, any other by SQLite's rules, in SQLite's order. */
export function columnKind(type: string): ColumnKind {
  const name = type.trim().toUpperCase();
  if (name === "BOOLEAN" || name === "JSON" || name === "ANY") return name;
  if (name.includes("INT")) return "INTEGER";
  if (name.includes("CHAR") || name.includes("CLOB") || name.includes("TEXT")) return "TEXT";
  if (name === "" || name.includes("BLOB")) return "NONE";
  if (name.includes("REAL") || name.includes("FLOA") || name.includes("DOUB")) return "REAL";
  return "NUMERIC";
}
