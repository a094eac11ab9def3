import type { Value } from "./value.ts";
import type { JsonValue } from "../schema/json.ts";

/** A row as clients and users see it: a value for each column, by name, in the table's order of columns. */
export type JsonRow = Readonly<Record<string, JsonValue>>;

/** A row as it is stored. Its JSON text is what clients see. */
export type Row = Readonly<Record<string, Value>>;
