import {
  type References,
  type RuledReference,
  areEqual,
  missingReferences,
  hasOtherTarget,
  isSameTarget,
  referringRows,
  rowsToChange,
  type StateOf,
  valuesOf,
} from "./constraints.ts";
import type { ReferenceAction } from "./schema.ts";
import type { RowChange, StoredRow, TableState } from "./table-state.ts";
import { type GivenRow, type Row, type RowId, type Value, WholeReal } from "./value.ts";
import { actionFails, chainTooLong, longestChain, stillReferenced } from "./violation.ts";
import type { Violation } from "./violation.ts";

/** A table as foreign keys need it. */
export interface LinkedTable {
  readonly state: TableState;
  readonly references: References;
  /**
   * Plans an update of some columns: the row that it would make, and the violations other than those of foreign keys.
   */
  readonly plan: (
    before: StoredRow,
    changes: GivenRow,
  ) => { readonly after: StoredRow; readonly violations: readonly Violation[] };
  readonly defaultOf: (column: string) => Value;
  /** Makes a change that has been checked. */
  readonly commit: (change: RowChange) => void;
  /** Remembers the current rows, and returns a function that restores them. */
  readonly hold: () => () => void;
}

export interface Links {
  readonly tableOf: (name: string) => LinkedTable | undefined;
  readonly stateOf: StateOf;
}

/** A change of a row that has been checked, except for foreign keys. */
interface CheckedChange extends RowChange {
  readonly before: StoredRow;
  /** Whether the write sets a column. A delete sets none. */
  readonly sets: (column: string) => boolean;
}

/**
 * Makes a change and runs the actions of foreign keys that refer to its row. If a rule forbids any of that, changes
 * nothing and returns the violations.
 */
export function writeLinked(
  table: LinkedTable,
  change: CheckedChange,
  links: Links,
): readonly Violation[] {
  const write = new LinkedWrite(links);
  let isDone = false;
  try {
    write.make(table, change, 0);
    const violations = write.dangling();
    isDone = violations.length === 0;
    return violations;
  } catch (error) {
    if (error instanceof Refusal) return error.violations;
    throw error;
  } finally {
    // Also after other errors: there may be no room for a row.
    if (!isDone) write.undo();
  }
}

/** Thrown to end a write that a rule forbids. */
class Refusal extends Error {
  readonly violations: readonly Violation[];

  constructor(...violations: readonly Violation[]) {
    super("The write is refused.");
    this.violations = violations;
  }
}

/** A reference that a change leaves dangling. A later change of the same write may repair it. */
interface Suspect {
  readonly violation: Violation;
  readonly stillDangles: () => boolean;
}

/**
 * A write with all actions that it causes, as SQLite runs a statement: dangling references are counted while rows
 * change one by one, and at the end there must be none.
 */
class LinkedWrite {
  readonly #links: Links;
  readonly #undo = new Map<LinkedTable, () => void>();
  readonly #suspects: Suspect[] = [];
  #dangling = 0;

  constructor(links: Links) {
    this.#links = links;
  }

  /** Changes a row, and then the rows that refer to it. */
  make(table: LinkedTable, change: CheckedChange, depth: number): void {
    if (!this.#undo.has(table)) this.#undo.set(table, table.hold());
    this.#leave(table, change);
    this.#arrive(table, change);
    table.commit(change);
    // SQLite acts on the newest foreign key first.
    for (const reference of table.references.incoming.toReversed()) {
      this.#act(reference, change, depth);
    }
  }

  dangling(): readonly Violation[] {
    if (this.#dangling <= 0) return [];
    const found = this.#suspects.filter(({ stillDangles }) => stillDangles());
    const named = found.length > 0 ? found : this.#suspects.slice(0, 1);
    return named.map(({ violation }) => violation);
  }

  undo(): void {
    for (const undo of this.#undo.values()) undo();
  }

  /**
   * Counts the references that the removal of the old row leaves dangling. If the row's own references dangled, they no
   * longer count.
   */
  #leave({ references }: LinkedTable, { before, after, sets }: CheckedChange): void {
    const { stateOf } = this.#links;
    for (const reference of references.outgoing) {
      if (this.#dangling <= 0 || !isJudged(reference, after, sets)) continue;
      const { length } = missingReferences(before.row, [reference], {
        stateOf,
        replaced: undefined,
      });
      this.#dangling -= length;
    }
    for (const reference of references.incoming) {
      if (!this.#isGone(reference, before, after)) continue;
      const except = exceptItself(reference, before.id);
      const left = (): number => referringRows(before.row, reference, { stateOf, except }).length;
      const found = left();
      if (found === 0) continue;
      this.#dangling += found;
      const values = valuesOf(before.row, reference.to.columns);
      this.#suspects.push({
        violation: stillReferenced(reference, values),
        stillDangles: () => left() > 0 && !hasOtherTarget(before, reference, stateOf),
      });
    }
  }

  /** Counts the references of the new row that dangle. References that find the new row no longer count. */
  #arrive({ references }: LinkedTable, { before, after, sets }: CheckedChange): void {
    if (after === undefined) return;
    const { stateOf } = this.#links;
    for (const reference of references.outgoing) {
      if (!isJudged(reference, after, sets)) continue;
      const look = (replaced: RowId | undefined): readonly Violation[] =>
        missingReferences(after.row, [reference], { stateOf, replaced });
      for (const violation of look(before.id)) {
        this.#dangling++;
        this.#suspects.push({ violation, stillDangles: () => look(undefined).length > 0 });
      }
    }
    for (const reference of references.incoming) {
      if (this.#dangling <= 0 || !this.#isGone(reference, before, after)) continue;
      const except = exceptItself(reference, before.id);
      this.#dangling -= referringRows(after.row, reference, { stateOf, except }).length;
    }
  }

  /** Whether the rows that refer to a row would no longer find it. */
  #isGone(reference: RuledReference, before: StoredRow, after: StoredRow | undefined): boolean {
    if (after !== undefined && isSameTarget(before.row, after.row, reference)) return false;
    return !hasOtherTarget(before, reference, this.#links.stateOf);
  }

  /** Runs the action of a foreign key on the rows that referred to the old row. */
  #act(reference: RuledReference, { before, after }: CheckedChange, depth: number): void {
    const event = after === undefined ? "onDelete" : "onUpdate";
    const { [event]: action = "no action", table } = reference;
    if (action === "no action" || keepsKey(reference, before, after)) return;
    if (hasOtherTarget(before, reference, this.#links.stateOf)) return;
    if (depth >= longestChain) throw new Refusal(chainTooLong(reference));
    const { stateOf, tableOf } = this.#links;
    const child = tableOf(table);
    const ids = rowsToChange(before.row, reference, stateOf);
    if (child === undefined || ids.length === 0) return;
    if (action === "restrict") {
      throw new Refusal(stillReferenced(reference, valuesOf(before.row, reference.to.columns)));
    }
    for (const id of ids) {
      const row = child.state.row(id);
      // The action of another foreign key may have deleted the row.
      if (row === undefined) continue;
      const changes = changesBy(action, reference, { child, after, stateOf });
      this.#change(child, { id, row }, { changes, depth: depth + 1, reference, event });
    }
  }

  /** Changes a row that refers to another one. Without `changes`, deletes it. */
  #change(
    child: LinkedTable,
    before: StoredRow,
    {
      changes,
      depth,
      reference,
      event,
    }: {
      readonly changes: GivenRow | undefined;
      readonly depth: number;
      readonly reference: RuledReference;
      readonly event: "onDelete" | "onUpdate";
    },
  ): void {
    if (changes === undefined) {
      return this.make(child, { before, after: undefined, sets: () => false }, depth);
    }
    const { after, violations } = child.plan(before, changes);
    if (violations.length > 0) throw new Refusal(actionFails(reference, event, violations));
    const sets = (column: string): boolean => Object.hasOwn(changes, column);
    this.make(child, { before, after, sets }, depth);
  }
}

/**
 * Whether an update must check a reference of its row. As in SQLite, only if the update sets one of the reference's
 * columns, or if the row may be its own target.
 */
function isJudged(
  { table, columns, to }: RuledReference,
  after: StoredRow | undefined,
  sets: CheckedChange["sets"],
): boolean {
  return after === undefined || table === to.table || columns.some(sets);
}

/**
 * Whether the columns that a reference refers to keep their values. Actions compare these by the columns' own rules.
 */
function keepsKey(
  { to, rules }: RuledReference,
  before: StoredRow,
  after: StoredRow | undefined,
): boolean {
  if (after === undefined) return false;
  return areEqual(valuesOf(before.row, to.columns), valuesOf(after.row, to.columns), rules);
}

/** The row itself, which does not count when a table refers to itself. */
function exceptItself({ table, to }: RuledReference, id: RowId): RowId | undefined {
  return table === to.table ? id : undefined;
}

/** The columns that an action sets in a referring row. Undefined: the action deletes the row. */
function changesBy(
  action: Exclude<ReferenceAction, "no action" | "restrict">,
  { columns, to }: RuledReference,
  {
    child,
    after,
    stateOf,
  }: {
    readonly child: LinkedTable;
    readonly after: StoredRow | undefined;
    readonly stateOf: StateOf;
  },
): GivenRow | undefined {
  if (action === "set null") return Object.fromEntries(columns.map((column) => [column, null]));
  if (action === "set default") {
    return Object.fromEntries(columns.map((column) => [column, child.defaultOf(column)]));
  }
  if (after === undefined) return undefined;
  const values = to.columns.map((column) => givenOn(after.row, column, stateOf(to.table)));
  return Object.fromEntries(columns.map((column, at) => [column, values[at] ?? null]));
}

/** The value of a key, to be stored in a referring column. A REAL is marked, so that it stays one. */
function givenOn(row: Row, column: string, state: TableState | undefined): Value {
  const value = row[column] ?? null;
  const isReal = state?.layout.rules(column)?.kind === "REAL";
  return isReal && typeof value === "number" && Number.isInteger(value)
    ? new WholeReal(value)
    : value;
}
