import type { Condition } from "../../src/core/store/operators.ts";
import { declaredReferences } from "../../src/core/store/constraints.ts";
import {
  type FuzzCase,
  type FuzzQuery,
  type GivenCells,
  schemasOf,
  type Step,
} from "./fuzz-case.ts";

/** Whether a case still shows the difference. */
type Fails = (fuzzCase: FuzzCase) => boolean;

/** How long a smaller case is looked for, in milliseconds. */
const longest = 20_000;

/**
 * A case with less of everything that still fails. `failing` is the step at which the given one does, after which
 * nothing counts.
 */
export function shrink(start: FuzzCase, failing: number, fails: Fails): FuzzCase {
  const end = performance.now() + longest;
  let best: FuzzCase = { ...start, steps: start.steps.slice(0, failing + 1) };
  const attempt = (candidate: FuzzCase): boolean => {
    if (performance.now() > end || !fails(candidate)) return false;
    best = candidate;
    return true;
  };
  const rounds = [
    () => shorten(best.steps, (steps) => attempt({ ...best, steps })),
    () => shorten(best.rows, (rows) => attempt({ ...best, rows })),
    () => shrinkSteps(best, attempt),
    () => shrinkSchema(best, attempt),
  ];
  let isSmaller = true;
  while (isSmaller) isSmaller = rounds.map((round) => round()).includes(true);
  return best;
}

/** Leaves out as many items as possible: many at once first, then one by one. */
function shorten<T>(items: readonly T[], attempt: (fewer: readonly T[]) => boolean): boolean {
  let left = items;
  for (
    let size = Math.ceil(left.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = left.length - size; at > -size; at -= size) {
      const fewer = left.toSpliced(Math.max(at, 0), Math.min(size, size + at));
      if (fewer.length < left.length && attempt(fewer)) left = fewer;
    }
  }
  return left.length < items.length;
}

function shrinkSteps(start: FuzzCase, attempt: Fails): boolean {
  let current = start;
  for (const at of start.steps.keys()) {
    for (let smaller = true; smaller;) {
      const step = current.steps[at];
      smaller = (step === undefined ? [] : smallerSteps(step)).some((one) => {
        const candidate = { ...current, steps: current.steps.with(at, one) };
        if (!attempt(candidate)) return false;
        current = candidate;
        return true;
      });
    }
  }
  return current !== start;
}

function smallerSteps(step: Step): readonly Step[] {
  switch (step.kind) {
    case "select":
      return smallerQueries(step.query).map((query) => ({ kind: "select", query }));
    case "insert":
    case "update":
    case "replace":
      return smallerGiven(step.given).map((given) => ({ ...step, given }));
    default:
      return [];
  }
}

function smallerQueries(query: FuzzQuery): readonly FuzzQuery[] {
  const { where, sort, limit, offset } = query;
  return [
    ...[...where.keys()].map((at) => ({ ...query, where: where.toSpliced(at, 1) })),
    ...[...sort.keys()].map((at) => ({ ...query, sort: sort.toSpliced(at, 1) })),
    ...(offset === undefined ? [] : [{ ...query, offset: undefined }]),
    ...(limit === undefined ? [] : [{ ...query, limit: undefined, offset: undefined }]),
    ...where.flatMap((condition, at) =>
      smallerConditions(condition).map((one) => ({ ...query, where: where.with(at, one) })),
    ),
  ];
}

function smallerConditions(condition: Condition): readonly Condition[] {
  if (condition.operator !== "in") return [];
  const { values } = condition;
  if (values.length < 2) return [];
  return [...values.keys()].map((at) => ({ ...condition, values: values.toSpliced(at, 1) }));
}

function smallerGiven(given: GivenCells): readonly GivenCells[] {
  const names = Object.keys(given);
  return names.length < 2 ? [] : names.map((name) => withoutCell(given, name));
}

function withoutCell(given: GivenCells, name: string): GivenCells {
  return Object.fromEntries(Object.entries(given).filter(([other]) => other !== name));
}

/** Leaves out columns and indexes that nothing needs. */
function shrinkSchema(start: FuzzCase, attempt: Fails): boolean {
  let current = start;
  const take = (candidate: FuzzCase): void => {
    if (attempt(candidate)) current = candidate;
  };
  const { child, schema } = start;
  if (child !== undefined) {
    const steps = start.steps.filter((step) => !("table" in step));
    take({ ...current, child: undefined, steps });
  }
  if (declaredReferences(schema).length > 0) {
    const columns = schema.columns.map((column) => ({ ...column, references: undefined }));
    take({ ...current, schema: { ...schema, columns, foreignKeys: [] } });
  }
  for (const index of start.schema.indexes ?? []) {
    const indexes = (current.schema.indexes ?? []).filter((one) => one !== index);
    take({ ...current, schema: { ...current.schema, indexes } });
  }
  for (const { name } of start.schema.columns) {
    if (!isNeeded(current, name)) take(withoutColumn(current, name));
  }
  return current !== start;
}

function isNeeded(fuzzCase: FuzzCase, name: string): boolean {
  const { schema, steps } = fuzzCase;
  const { primaryKey, indexes = [], columns } = schema;
  const references = schemasOf(fuzzCase).flatMap(declaredReferences);
  return (
    columns.length === 1 ||
    primaryKey.includes(name) ||
    references.some(({ columns: from, to }) => [...from, ...to.columns].includes(name)) ||
    indexes.some((index) => index.columns.some((column) => column.name === name)) ||
    steps.some(
      (step) =>
        step.kind === "select" &&
        [...step.query.where, ...step.query.sort].some(({ column }) => column === name),
    )
  );
}

function withoutColumn(fuzzCase: FuzzCase, name: string): FuzzCase {
  const { schema, rows, steps } = fuzzCase;
  return {
    ...fuzzCase,
    schema: { ...schema, columns: schema.columns.filter((column) => column.name !== name) },
    rows: rows.map((row) => withoutCell(row, name)),
    steps: steps
      .map((step) =>
        "given" in step && !("table" in step)
          ? { ...step, given: withoutCell(step.given, name) }
          : step,
      )
      // An UPDATE has to set something.
      .filter(
        (step) =>
          !("given" in step) || step.kind === "insert" || Object.keys(step.given).length > 0,
      ),
  };
}
