import type { JsonValue, Row } from "./row.ts";
import type { RowChange } from "./table-state.ts";
import { type Reference, referenceMissing, stillReferenced, type Violation } from "./violation.ts";

/** One end of a reference, with a look at the table on the other end. */
export interface Relation {
  readonly reference: Reference;
  /** Whether some row over there has this value. */
  readonly otherHas: (value: JsonValue) => boolean;
}

/** A table's references, both ways. */
export interface Relations {
  /** From columns of this table. */
  readonly outgoing: readonly Relation[];
  /** To columns of this table. */
  readonly incoming: readonly Relation[];
}

/** What a row refers to in vain. */
export function missingReferences(row: Row, { outgoing }: Relations): readonly Violation[] {
  const missing: Violation[] = [];
  for (const { reference, otherHas } of outgoing) {
    const value = row[reference.column] ?? null;
    if (value !== null && !otherHas(value)) missing.push(referenceMissing(reference, value));
  }
  return missing;
}

/**
 * What a change would break. It is asked after the tallies of the table have been brought to the state
 * after the change, so that references of a table to itself are judged like all others.
 */
export function brokenReferences(
  { before, after }: RowChange,
  relations: Relations,
  stillOffers: (column: string, value: JsonValue) => boolean,
): readonly Violation[] {
  const missing = after === undefined ? [] : missingReferences(after.row, relations);
  if (before === undefined) return missing;
  const dangling = relations.incoming.flatMap(({ reference, otherHas }) => {
    const value = before.row[reference.to.column] ?? null;
    const isDangling =
      value !== null && !stillOffers(reference.to.column, value) && otherHas(value);
    return isDangling ? [stillReferenced(reference, value)] : [];
  });
  return [...missing, ...dangling];
}
