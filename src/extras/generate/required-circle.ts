import { declaredReferences } from "../../core/store/constraints.ts";
import { tableLayout } from "../../core/store/table-layout.ts";
import type { Reference } from "../../core/store/violation.ts";
import type { OpenTable } from "./open-table.ts";

/**
 * The tables, from the one that a reference is to up to the one that has it, each of which needs a row of the next
 * before it can have a first one. Undefined: rows can be made table by table.
 */
export function requiredCircle(
  { table: own, to }: Reference,
  { schemas, storage, rowsOf }: Pick<OpenTable, "schemas" | "storage" | "rowsOf">,
): readonly string[] | undefined {
  const entered = new Set<string>();
  const circleFrom = (table: string): readonly string[] | undefined => {
    if (table === own) return [own];
    const schema = schemas.find(({ name }) => name === table);
    if (schema === undefined || entered.has(table)) return undefined;
    entered.add(table);
    const { cells } = tableLayout(schema, storage);
    for (const { columns, to: next } of declaredReferences(schema)) {
      const isNeeded = cells.some(({ needsValue, name }) => needsValue && columns.includes(name));
      if (!isNeeded || rowsOf(next.table).length > 0) continue;
      const circle = circleFrom(next.table);
      if (circle !== undefined) return [table, ...circle];
    }
    return undefined;
  };
  return circleFrom(to.table);
}
