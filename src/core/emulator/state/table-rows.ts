import { atOnce, type Play } from "../../steps/steps.ts";
import { EmulatorError } from "../../errors/emulator-error.ts";
import { isReadAsWritten } from "../../fixture-set/json/json-copy.ts";
import { Database } from "../../store/database.ts";
import { sizeOfRows } from "../../store/row-budget.ts";
import type { StorageRules } from "../../store/storage-rules.ts";
import { ExactInteger, type Row, type Value, WholeReal } from "../../store/value.ts";
import type { State } from "../state.ts";

/** A row as fixtures have it: a whole number beyond JSON's numbers is the text of its digits. */
export function wireRow(row: Row): object {
  if (Object.values(row).every(isWritten)) return row;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, wireValue(value)]));
}

function isWritten(value: Value): boolean {
  if (value instanceof ExactInteger) return false;
  const number = value instanceof WholeReal ? value.value : value;
  return typeof number !== "number" || !Number.isInteger(number) || isReadAsWritten(number);
}

function wireValue(value: Value): unknown {
  if (isWritten(value)) return value;
  if (value instanceof ExactInteger) return String(value.value);
  return String(BigInt(Number(value instanceof WholeReal ? value.value : value)));
}

/** New rows for a table. */
export interface NewRows {
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly storage: StorageRules;
  readonly now: () => number;
  /** Tables of SQL dumps, whose rows were never checked. */
  readonly dumped: ReadonlySet<string>;
}

/**
 * Replaces a table's rows as if the fixtures had these. Throws an EmulatorError with every problem, including
 * references of other tables to removed rows, and then changes nothing. References of SQL dumps' rows are not
 * checked.
 */
export async function replaceRows(state: State, given: NewRows, play: Play): Promise<void> {
  const { database, budget } = state;
  const { name, rows, storage, now, dumped } = given;
  const { tables } = database.snapshot();
  if (!tables.has(name)) throw notOurs(name);
  const contents = [...tables.keys()].flatMap((other) => {
    const table = database.table(other);
    if (table === undefined) return [];
    const { schema } = table;
    // The values come from JSON; the load checks them.
    if (other === name) return [{ schema, rows: rows as readonly Row[] }];
    return [{ schema, rows: table.rows(), asStored: dumped.has(other) }];
  });
  const replaced = await play(Database.loadInSteps(contents, { storage, now }));
  const loaded = replaced.peek().tables.get(name);
  const size = await play(sizeOfRows(replaced.table(name)?.rows() ?? []));
  if (loaded === undefined) return;
  const current = database.snapshot().tables;
  const isNews = [...tables].some(
    ([other, rowsOf]) => other !== name && current.get(other) !== rowsOf,
  );
  // Rows of other tables were written between the steps, and may refer to these. At once, nobody comes between.
  if (isNews) return replaceRows(state, given, atOnce);
  budget.take(size);
  database.restore({ tables: new Map(tables).set(name, loaded) });
}

function notOurs(name: string): EmulatorError {
  return new EmulatorError(
    "ERR_ROW_REFUSED",
    `Cannot replace the rows of "${name}": they belong to a collection. Change it in the program that made it.`,
  );
}
