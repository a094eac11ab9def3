import {
  danglingReferences,
  missingReferences,
  type References,
  type StateOf,
} from "./references.ts";
import { compareOrderValues, type OrderValue } from "./order-value.ts";
import type { GivenRow } from "./row-draft.ts";
import type { SortedIndex } from "./sorted-index.ts";
import { rowIdName } from "./table-layout.ts";
import type { RowChange, StoredRow, TableState } from "./table-state.ts";
import { type RowId, type Value, integerValue } from "./value.ts";
import { notUnique, type Violation } from "./violation.ts";

/** The unique values of a change that other rows have. */
export function takenValues(state: TableState, { before, after }: RowChange): readonly Violation[] {
  if (after === undefined) return [];
  const taken: Violation[] = [];
  const { layout, uniques } = state;
  if (after.id !== before?.id && state.row(after.id) !== undefined) {
    const name = layout.rowIdColumn ?? rowIdName;
    taken.push(notUnique([name], [rowIdValue(after.id)], name === layout.rowIdColumn));
  }
  for (const [at, index] of uniques.entries()) {
    const key = index.keyOf(after.row);
    if (key === null || keepsKey(index, key, before)) continue;
    if (index.otherThan(key, before?.id) === undefined) continue;
    const { columns } = index.definition;
    const values = columns.map((column) => after.row[column] ?? null);
    taken.push(notUnique(columns, values, layout.uniqueKeys[at]?.isKey === true));
  }
  return taken;
}

/** Whether a row had this key before: as in SQL databases it is not judged anew, whoever else has come to have it. */
function keepsKey(index: SortedIndex, key: OrderValue, before: StoredRow | undefined): boolean {
  return before !== undefined && compareOrderValues(index.keyOf(before.row), key) === 0;
}

/** The references that an update has to keep: as in SQLite, its own ones only when it sets one of their columns. */
export function referencesSetBy(changes: GivenRow, references: References): References {
  const { outgoing, incoming } = references;
  if (outgoing.length === 0) return references;
  const isSet = (column: string): boolean => Object.hasOwn(changes, column);
  return { outgoing: outgoing.filter(({ columns }) => columns.some(isSet)), incoming };
}

/** What a change refers to in vain, and what would refer to it in vain. */
export function brokenReferences(
  change: RowChange,
  { outgoing, incoming }: References,
  stateOf: StateOf,
): readonly Violation[] {
  const { before, after } = change;
  const dangling =
    incoming.length === 0
      ? []
      : danglingReferences(change, incoming, { stateOf, judged: outgoing });
  if (after === undefined || outgoing.length === 0) return dangling;
  const context = { stateOf, replaced: before?.id };
  return [...missingReferences(after.row, outgoing, context), ...dangling];
}

/** The value of a row id in the column that shows it. */
export function rowIdValue(id: RowId): Value {
  return typeof id === "bigint" ? integerValue(id) : id;
}
