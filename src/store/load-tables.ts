import { type FitPolicy, strictFit } from "./fit.ts";
import type { Relation, Relations } from "./foreign-keys.ts";
import { comparisonRules } from "./order-value.ts";
import type { Row } from "./row.ts";
import { schemaViolations } from "./schema-check.ts";
import type { TableSchema } from "./schema.ts";
import type { TalliedColumns } from "./table-state.ts";
import { Table } from "./table.ts";
import type { Reference, Violation } from "./violation.ts";

/** A table to make: its schema and the rows it starts with. */
export interface TableContents {
  readonly schema: TableSchema;
  readonly rows: readonly Row[];
}

/** A rule that the contents of a table break. */
export interface LoadViolation extends Violation {
  readonly table: string;
  /** Counts from 0 in the table's rows; undefined when it is the schema that is wrong. */
  readonly row: number | undefined;
}

export interface LoadedTables {
  readonly tables: ReadonlyMap<string, Table>;
  /** Rows that break a rule are left out of the tables. */
  readonly violations: readonly LoadViolation[];
}

/** Makes tables and fills them. Rows may refer to each other in any order. */
export function loadTables(
  contents: readonly TableContents[],
  fit: FitPolicy = strictFit,
): LoadedTables {
  const schemas = contents.map(({ schema }) => schema);
  const contradictions = schemas.flatMap((schema) =>
    schemaViolations(schema, schemas, fit).map((violation) => at(schema, undefined, violation)),
  );
  if (contradictions.length > 0) return { tables: new Map(), violations: contradictions };
  const tables = makeTables(schemas, fit);
  const violations: LoadViolation[] = [];
  const stored = contents.flatMap(({ schema, rows }) => fill(schema, rows, { tables, violations }));
  const incomplete = new Set(violations.map(({ table }) => table));
  for (const { table, index, row } of stored) {
    for (const violation of table.missingReferences(row)) {
      // A row that was left out is no news to those that refer to it.
      if (refersToOneOf(incomplete, table.schema, violation)) continue;
      violations.push(at(table.schema, index, violation));
    }
  }
  return { tables, violations };
}

function refersToOneOf(
  tables: ReadonlySet<string>,
  schema: TableSchema,
  violation: Violation,
): boolean {
  return schema.columns.some(
    ({ name, references }) =>
      violation.columns.includes(name) && references !== undefined && tables.has(references.table),
  );
}

interface StoredRow {
  readonly table: Table;
  readonly index: number;
  readonly row: Row;
}

function fill(
  schema: TableSchema,
  rows: readonly Row[],
  target: { readonly tables: ReadonlyMap<string, Table>; readonly violations: LoadViolation[] },
): readonly StoredRow[] {
  const table = target.tables.get(schema.name);
  if (table === undefined) return [];
  const stored: StoredRow[] = [];
  for (const [index, given] of rows.entries()) {
    const result = table.load(given);
    if (result.ok) stored.push({ table, index, row: result.row });
    else target.violations.push(...result.violations.map((found) => at(schema, index, found)));
  }
  return stored;
}

function at(schema: TableSchema, row: number | undefined, violation: Violation): LoadViolation {
  return { ...violation, table: schema.name, row };
}

function makeTables(schemas: readonly TableSchema[], fit: FitPolicy): ReadonlyMap<string, Table> {
  const references = schemas.flatMap(referencesOf);
  const tables = new Map<string, Table>();
  for (const schema of schemas) {
    const relations = relationsOf(schema, references, tables);
    const tallied = talliedColumns(schema, references, schemas);
    tables.set(schema.name, new Table(schema, { fit, relations, tallied }));
  }
  return tables;
}

function referencesOf(schema: TableSchema): readonly Reference[] {
  return schema.columns.flatMap(({ name, references }) =>
    references === undefined ? [] : [{ table: schema.name, column: name, to: references }],
  );
}

/** Tables are looked up when a row is judged, since a table may refer to one that is made later. */
function relationsOf(
  { name }: TableSchema,
  references: readonly Reference[],
  tables: ReadonlyMap<string, Table>,
): Relations {
  const outgoing = references
    .filter(({ table }) => table === name)
    .map((reference): Relation => {
      const { to } = reference;
      return {
        reference,
        otherHas: (value) => tables.get(to.table)?.offers(to.column, value) ?? false,
      };
    });
  const incoming = references
    .filter(({ to }) => to.table === name)
    .map((reference): Relation => {
      const { table, column } = reference;
      return {
        reference,
        otherHas: (value) => tables.get(table)?.refersTo(column, value) ?? false,
      };
    });
  return { outgoing, incoming };
}

/** Both sides of a reference compare by the rules of the column referred to. */
function talliedColumns(
  { name }: TableSchema,
  references: readonly Reference[],
  schemas: readonly TableSchema[],
): TalliedColumns {
  const rulesFor = ({ to }: Reference) =>
    schemas
      .filter((schema) => schema.name === to.table)
      .flatMap(({ columns }) => columns.filter((column) => column.name === to.column))
      .map(comparisonRules);
  const outgoing = references.filter(({ table }) => table === name);
  const incoming = references.filter(({ to }) => to.table === name);
  const referredTo = new Map(incoming.map((reference) => [reference.to.column, reference]));
  return {
    referring: outgoing.flatMap((reference) =>
      rulesFor(reference).map((rules) => ({ column: reference.column, rules })),
    ),
    referredTo: [...referredTo].flatMap(([column, reference]) =>
      rulesFor(reference).map((rules) => ({ column, rules })),
    ),
  };
}
