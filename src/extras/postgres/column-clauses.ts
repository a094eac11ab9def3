import { type RawBuilder, sql } from "kysely";
import { defaultValue } from "../../core/store/row-draft.ts";
import { CurrentTime } from "../../core/store/schema.ts";
import type { StoredColumn } from "./stored-table.ts";

/** What a row that another program adds has in a column that it leaves out. Undefined: NULL. */
export function defaultOf({
  declared,
  storage,
  codec,
}: StoredColumn): RawBuilder<unknown> | undefined {
  if (declared.default instanceof CurrentTime) {
    if (codec.type !== "text") return undefined;
    return sql`to_char(now() at time zone 'utc', ${sql.lit(timeFormats[declared.default.format])})`;
  }
  const value = defaultValue(declared, { storage, now: () => 0 });
  const text = value === null ? undefined : codec.write(value);
  return text === undefined ? undefined : sql.lit(text);
}

const timeFormats = {
  timestamp: "YYYY-MM-DD HH24:MI:SS",
  date: "YYYY-MM-DD",
  time: "HH24:MI:SS",
} as const;

/** Has PostgreSQL refuse numbers that JSON has not, and Backlot could not show. Undefined: the column has none. */
export function finiteCheck({
  name,
  codec: { type },
  isUnbounded,
}: StoredColumn): RawBuilder<boolean> | undefined {
  if (type !== "double precision" && type !== "numeric") return undefined;
  const none = isUnbounded ? ["NaN"] : ["NaN", "Infinity", "-Infinity"];
  return sql<boolean>`${sql.id(name)} not in (${sql.join(none.map((text) => sql.lit(text)))})`;
}
