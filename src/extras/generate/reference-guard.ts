import { type ComparisonRules, orderKeys, orderValue } from "../../core/store/order-value.ts";
import { declaredReferences } from "../../core/store/constraints.ts";
import type { Row } from "../../core/store/value.ts";
import { tableLayout } from "../../core/store/table-layout.ts";
import { type Reference, referenceMissing, type Violation } from "../../core/store/violation.ts";
import type { OpenTable } from "./open-table.ts";

/** Sees to it that no file is written whose references point nowhere. */
export interface ReferenceGuard {
  /** Whether rows may refer to others of the same table. */
  readonly refersToOwn: boolean;
  /** Takes note of a row, or says why it cannot be. */
  readonly judge: (row: Row) => Violation | undefined;
  /** Says which row that others refer to is gone, after all rows were replaced. */
  readonly stillNeeded: () => string | undefined;
}

/** Watches the references that are filled in by templates, and those to rows that are replaced. */
export function referenceGuard(setup: {
  readonly open: OpenTable;
  readonly templated: readonly string[];
  readonly rowsOf: (table: string) => readonly Row[];
  readonly replace: boolean;
}): ReferenceGuard {
  const { open, templated, rowsOf, replace } = setup;
  const { name } = open.schema;
  const outgoing = declaredReferences(open.schema);
  // The others are picked among the rows that are there.
  const checked = outgoing
    .filter(({ columns }) => columns.some((column) => templated.includes(column)))
    .map((reference) => new OfferedKeys(reference, { open, rows: rowsOf(reference.to.table) }));
  // What is made at each start may well take the place of what is gone.
  const isFilledUp = (open.plan?.generate?.count ?? 0) > 0;
  const incoming = open.schemas
    .filter((schema) => schema.name !== name)
    .flatMap(declaredReferences)
    .filter(({ to }) => replace && !isFilledUp && to.table === name)
    .map((reference) => new NeededKeys(reference, { open, rows: open.rowsOf(reference.table) }));
  return {
    refersToOwn: outgoing.some(({ to }) => to.table === name),
    judge: (row) => {
      for (const keys of checked) {
        const violation = keys.judge(row);
        if (violation !== undefined) return violation;
      }
      for (const keys of incoming) keys.made(row);
      return undefined;
    },
    stillNeeded: () => incoming.find((keys) => keys.missing !== undefined)?.missing,
  };
}

interface KeySetup {
  readonly open: OpenTable;
  readonly rows: readonly Row[];
}

/** The values that a reference may have. */
class OfferedKeys {
  readonly #reference: Reference;
  readonly #rules: readonly ComparisonRules[];
  readonly #offered = new Set<string | undefined>();

  constructor(reference: Reference, { open, rows }: KeySetup) {
    this.#reference = reference;
    this.#rules = rulesOf(reference, open);
    for (const row of rows) this.#offered.add(keyOf(row, reference.to.columns, this.#rules));
  }

  judge(row: Row): Violation | undefined {
    const { table, columns, to } = this.#reference;
    // A row may refer to itself.
    if (table === to.table) this.#offered.add(keyOf(row, to.columns, this.#rules));
    const key = keyOf(row, columns, this.#rules);
    if (key === undefined || this.#offered.has(key)) return undefined;
    return referenceMissing(this.#reference, valuesOf(row, columns));
  }
}

/** The values that rows of another table refer to, as long as no row that was made has them. */
class NeededKeys {
  readonly #reference: Reference;
  readonly #rules: readonly ComparisonRules[];
  readonly #needed = new Map<string, Row>();

  constructor(reference: Reference, { open, rows }: KeySetup) {
    this.#reference = reference;
    this.#rules = rulesOf(reference, open);
    for (const row of rows) {
      const key = keyOf(row, reference.columns, this.#rules);
      if (key !== undefined) this.#needed.set(key, row);
    }
  }

  made(row: Row): void {
    if (this.#needed.size === 0) return;
    this.#needed.delete(keyOf(row, this.#reference.to.columns, this.#rules) ?? "");
  }

  get missing(): string | undefined {
    const [row] = this.#needed.values();
    if (row === undefined) return undefined;
    const { message } = referenceMissing(this.#reference, valuesOf(row, this.#reference.columns));
    const { table } = this.#reference;
    return `Rows of ${JSON.stringify(table)} refer to rows that would be gone: ${message} Make more rows, or keep those that are there.`;
  }
}

function rulesOf({ to }: Reference, { schemas, storage }: OpenTable): readonly ComparisonRules[] {
  const target = schemas.find(({ name }) => name === to.table);
  if (target === undefined) return [];
  const { rules } = tableLayout(target, storage);
  return to.columns.flatMap((column) => rules(column) ?? []);
}

function valuesOf(row: Row, columns: readonly string[]): readonly Row[string][] {
  return columns.map((column) => row[column] ?? null);
}

/** The values of a reference as a text that is the same on both of its ends. NULL refers to nothing and has none. */
function keyOf(
  row: Row,
  columns: readonly string[],
  rules: readonly ComparisonRules[],
): string | undefined {
  return orderKeys(rules.map((own, place) => orderValue(row[columns[place] ?? ""] ?? null, own)));
}
