import type { ColumnKind } from "./column-kinds.ts";
import { comparisonRules } from "./order-value.ts";
import { declaredReferences, type RuledReference } from "./references.ts";
import type { TableSchema } from "./schema.ts";
import type { StoredAs } from "./sorted-index.ts";
import type { StorageRules } from "./storage-rules.ts";
import { WholeReal } from "./value.ts";
import type { Reference } from "./violation.ts";

/** All references between tables, and how the values on both ends of each compare. */
export function ruledReferences(
  schemas: readonly TableSchema[],
  storage: StorageRules,
): readonly RuledReference[] {
  const asStored = storedBy(storage);
  return schemas.flatMap(declaredReferences).map((reference): RuledReference => {
    const rules = rulesOfTarget(reference, schemas, storage);
    const kinds = kindsOf(reference, schemas, storage);
    if (rules.every(({ kind }, place) => kind === kinds[place])) {
      return { ...reference, rules, stored: undefined, scan: { rules, stored: undefined } };
    }
    const stored = kinds.map(asStored);
    const { scanKind } = storage;
    if (scanKind === undefined) return { ...reference, rules, stored, scan: { rules, stored } };
    const scanned = rules.map(({ kind, collation }, place) => {
      return { kind: scanKind(kind, kinds[place] ?? kind), collation };
    });
    return { ...reference, rules, stored, scan: { rules: scanned, stored: undefined } };
  });
}

/** How values of a column of one kind are stored as those of another. */
function storedBy(storage: StorageRules): (kind: ColumnKind) => StoredAs {
  const storedAs: StoredAs = (value, kind) => {
    const fitting = value === null ? undefined : storage.fit(value, kind);
    return fitting?.ok === true ? fitting.value : value;
  };
  // A REAL column has plain numbers; the text of a whole one is `-3.0`, and not `-3`.
  const storedOfReal: StoredAs = (value, kind) => {
    if (kind !== "TEXT" || !Number.isInteger(value)) return storedAs(value, kind);
    const fitting = storage.fit(new WholeReal(Number(value)), kind);
    return fitting.ok ? fitting.value : value;
  };
  return (kind) => (kind === "REAL" ? storedOfReal : storedAs);
}

/** Both ends of a reference compare by the rules of the columns referred to. */
function rulesOfTarget(
  { to }: Reference,
  schemas: readonly TableSchema[],
  storage: StorageRules,
): RuledReference["rules"] {
  const target = schemas.find(({ name }) => name === to.table);
  return to.columns.flatMap((name) => {
    const column = target?.columns.find((one) => one.name === name);
    return column === undefined ? [] : [comparisonRules(column, storage.kindOf)];
  });
}

/** The kinds of the columns that refer. */
function kindsOf(
  { table, columns }: Reference,
  schemas: readonly TableSchema[],
  storage: StorageRules,
): readonly ColumnKind[] {
  const schema = schemas.find(({ name }) => name === table);
  return columns.flatMap((name) => {
    const column = schema?.columns.find((one) => one.name === name);
    return column === undefined ? [] : [storage.kindOf(column.type)];
  });
}
