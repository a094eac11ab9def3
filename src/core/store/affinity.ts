/** SQLite's affinities. NONE is what SQLite calls BLOB: nothing is converted. */
export type Affinity = "INTEGER" | "REAL" | "NUMERIC" | "TEXT" | "NONE";

/** How a column's values are stored and compared: by an affinity, or as our own types do it. */
export type ColumnKind = Affinity | "BOOLEAN" | "JSON" | "ANY";

/** The kind of a declared type: our own three by name, any other by its affinity. */
export function columnKind(type: string): ColumnKind {
  const name = type.trim().toUpperCase();
  if (name === "BOOLEAN" || name === "JSON" || name === "ANY") return name;
  return affinity(type);
}

/** The affinity of a declared type, by SQLite's rules in SQLite's order. */
export function affinity(type: string): Affinity {
  const name = type.trim().toUpperCase();
  if (name.includes("INT")) return "INTEGER";
  if (name.includes("CHAR") || name.includes("CLOB") || name.includes("TEXT")) return "TEXT";
  if (name === "" || name.includes("BLOB")) return "NONE";
  if (name.includes("REAL") || name.includes("FLOA") || name.includes("DOUB")) return "REAL";
  return "NUMERIC";
}
