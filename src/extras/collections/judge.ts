import { applyChanges, type Changes } from "./given-values.ts";
import { recordCell } from "./record-cells.ts";
import { type StandardSchema, validateRecord, type Validation } from "./standard-schema.ts";

/** What the collection's schema says of a change, before it is made. */
export interface Judgement {
  /** What is to be set. */
  readonly changes: Changes;
  readonly validation: Validation;
}

/**
 * Asks the schema about a record with changes made to it. A NULL that it refuses is left out instead, where that
 * makes a NULL of it: a row has no other way to say that a property is not there.
 */
export async function judge(
  schema: StandardSchema,
  base: Readonly<Record<string, unknown>>,
  changes: Changes,
): Promise<Judgement> {
  const validation = await validateRecord(schema, applyChanges(base, changes));
  if (validation.ok) return { changes, validation };
  const refused = new Set(validation.issues.map(({ path }) => path[0]));
  const nulls = [...changes].flatMap(([name, value]) =>
    value === null && refused.has(name) ? [name] : [],
  );
  if (nulls.length === 0) return { changes, validation };
  const without = new Map(changes);
  for (const name of nulls) without.set(name, undefined);
  const second = await validateRecord(schema, applyChanges(base, without));
  const isNull = second.ok && nulls.every((name) => recordCell(second.value, name) === null);
  return isNull ? { changes: without, validation: second } : { changes, validation };
}
