import { affinity } from "../../src/core/store/column-kinds.ts";
import { type Condition, textsOf } from "../../src/core/store/operators.ts";
import type { Collation, Column } from "../../src/core/store/schema.ts";

// What is not generated, since the store and SQLite differ there on purpose. Each has its reason. (That newer
// versions of SQLite write REALs with 17 digits, and not with 15 as the service does, needs no place here: the
// judge is an older one.)

/**
 * After the largest row id of all SQLite chooses one by chance. So keys up to there only come in tables whose rows
 * all state their key.
 */
export const largestKeyThatOthersFollow: bigint = 2n ** 62n;

interface Scope {
  /** Undefined for a row id that is no column. */
  readonly collate: Collation | undefined;
  readonly isRowId: boolean;
  /** Whether the table has an index besides the row id. */
  readonly hasIndexes: boolean;
}

/** Whether SQLite gives other rows for a condition when it finds them in another way. The store always gives the same. */
export function dependsOnPlan(condition: Condition, scope: Scope): boolean {
  if (condition.operator === "like") return isWiderThanRange(condition.value, scope);
  return scope.isRowId && textsOf(condition).some(isLeastReal);
}

/**
 * SQLite's LIKE reads U+FFFE, U+FFFF and bytes that are no UTF-8 as U+FFFD, and an infinite number as `Inf`. Where
 * it goes through the range of a NOCASE index that a pattern's beginning stands for, it misses them.
 */
function isWiderThanRange(pattern: string, { collate, hasIndexes }: Scope): boolean {
  const [prefix = ""] = pattern.split(/[%_\0]/);
  return hasIndexes && collate !== undefined && /^-?I|[\ufffd-\uffff]/i.test(prefix);
}

/** The REAL -2^63 equals the INTEGER where SQLite compares them, and is no row id where it looks for one. */
function isLeastReal(text: string): boolean {
  return Number(text) === -(2 ** 63) && !/^\s*-\d+\s*$/.test(text);
}

/**
 * SQLite takes a value of a column without a type for the same as a text when it looks whether there is something to
 * refer to, and not when that something is deleted. The store does both times.
 */
export function refersWithoutType(from: Column | undefined, to: Column | undefined): boolean {
  return affinity(from?.type ?? "") === "NONE" && affinity(to?.type ?? "") !== "NONE";
}

/**
 * Whether a row of the store may refer to itself where SQLite does not see it: there both values must be the same
 * before any affinity and by their bytes, and while an update is judged the row itself may be gone.
 */
export function refersToItselfOtherwise(from: Column | undefined, to: Column | undefined): boolean {
  const isConverted = affinity(from?.type ?? "") !== affinity(to?.type ?? "");
  return isConverted || to?.collate !== "BINARY";
}
