/** The tables that Backlot adds to a schema. */
export const ownTables = {
  /** One row: which schema this is, and its newest version. */
  state: "_backlot_state",
  /** What each table was declared as, and the largest key that it ever had. */
  tables: "_backlot_tables",
  /** Which rows changed in which version. */
  changes: "_backlot_changes",
} as const;

/** Names that begin so are Backlot's own. */
export const ownPrefix = "_backlot_";

/** What is in the schema, in this form. Another one would have to be made anew. */
export const formatVersion = "2";

/** A schema as it is at one moment. */
export interface Head {
  /** Another one where a schema was dropped and made anew. */
  readonly id: string;
  /** One more with each transaction that writes. */
  readonly version: number;
  /** The changes of this version and all later ones are kept. */
  readonly oldest: number;
}

/** The columns of `_backlot_state` that make a head. */
export const headColumns = ["id", "version", "oldest"] as const;

/** Reads a head out of its texts. */
export function headOf(row: Readonly<Record<(typeof headColumns)[number], string | null>>): Head {
  return { id: row.id ?? "", version: Number(row.version), oldest: Number(row.oldest) };
}
