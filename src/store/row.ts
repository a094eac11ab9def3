/** Anything that JSON can say. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** A row as users see it: a value for each column, by name, in the table's order of columns. */
export type Row = Readonly<Record<string, JsonValue>>;
