import { type GivenRow, type Value, copyValue } from "../../core/store/value.ts";
import { referenceMissing, type Violation, wrongType } from "../../core/store/violation.ts";
import type { LiveCollection } from "./collection.ts";
import { type RelationTarget, relationTargets } from "./relation-targets.ts";
import { type ServedCollection, servedCollection } from "./served-collections.ts";
import type { TableShape } from "./table-shape.ts";
import { withoutColumns } from "./unchanged.ts";
import { validationInput } from "./validation-input.ts";

/** What was given for relations, and the rest of the row. */
export interface GivenLinks {
  /** The related record of each relation, or a list of them. */
  readonly links: ReadonlyMap<string, object | readonly object[]>;
  readonly rest: GivenRow;
  readonly violations: readonly Violation[];
}

/** Finds the records that a row is to be related to. They are given by their keys, or as objects that have those. */
export function readLinks(
  collection: Pick<LiveCollection, "all">,
  { layout, isDeclared }: TableShape,
  { given, isNew }: { readonly given: GivenRow; readonly isNew: boolean },
): GivenLinks {
  const links = new Map<string, object | readonly object[]>();
  const violations: Violation[] = [];
  const names = new Set<string>();
  for (const [name, target] of relationTargets(collection)) {
    if (!Object.hasOwn(given, name) || given[name] === undefined) continue;
    if (isDeclared && !layout.columnNames.includes(name)) continue;
    names.add(name);
    // A new record is related to nothing; of one that is, the package cannot take the relation away.
    if (isNew && given[name] === null && !target.isMany) continue;
    const found = findLinks({ table: layout.schema.name, name, target }, given[name]);
    if (found.ok) links.set(name, found.link);
    else violations.push(found.violation);
  }
  return { links, rest: withoutColumns(given, names), violations };
}

/** The same as the collection's schema is asked about it. */
export function linkInputs({ links }: GivenLinks): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...links].map(([name, link]) => [
      name,
      isList(link) ? link.map(validationInput) : validationInput(link),
    ]),
  );
}

type Found<Link> =
  | { readonly ok: true; readonly link: Link }
  | { readonly ok: false; readonly violation: Violation };

interface Relation {
  readonly table: string;
  readonly name: string;
  readonly target: RelationTarget;
}

function findLinks(relation: Relation, given: unknown): Found<object | readonly object[]> {
  if (!relation.target.isMany) return findRecord(relation, given);
  if (!Array.isArray(given)) return { ok: false, violation: noKey(relation, given) };
  const records: object[] = [];
  for (const one of given) {
    const found = findRecord(relation, one);
    if (!found.ok) return found;
    records.push(found.link);
  }
  return { ok: true, link: records };
}

function findRecord(relation: Relation, given: unknown): Found<object> {
  const tables = relation.target.collections.flatMap((one) => servedCollection(one) ?? []);
  let missing: Violation | undefined;
  for (const table of tables) {
    const key = keyOf(table, given);
    if (key === undefined) continue;
    const link = table.recordByKey(key);
    if (link !== undefined) return { ok: true, link };
    const to = { table: table.name, columns: table.primaryKey };
    const { table: own, name } = relation;
    missing ??= referenceMissing({ table: own, columns: [name], to }, key);
  }
  return { ok: false, violation: missing ?? noKey(relation, given) };
}

/** The values of a key, given as an object's properties or, of a key of one column, by itself. */
function keyOf({ primaryKey }: ServedCollection, given: unknown): readonly Value[] | undefined {
  if (primaryKey.length === 0 || given === null || Array.isArray(given)) return undefined;
  const isWhole = typeof given === "object";
  if (!isWhole && primaryKey.length > 1) return undefined;
  const key: Value[] = [];
  for (const name of primaryKey) {
    const own = isWhole && Object.hasOwn(given, name) ? Reflect.get(given, name) : undefined;
    const value = copyValue(isWhole ? own : given);
    if (value === undefined) return undefined;
    key.push(value);
  }
  return key;
}

function noKey({ name, target }: Relation, given: unknown): Violation {
  const tables = target.collections.map((one) => servedCollection(one)?.name);
  const names = tables.flatMap((table) => (table === undefined ? [] : `"${table}"`));
  if (names.length === 0) {
    const message = `Column "${name}" relates to a collection that is not served as a table.`;
    return { kind: "reference-missing", message, columns: [name] };
  }
  const key = `the key of a row of ${names.join(" or ")}`;
  const expected = target.isMany ? `a list, each item ${key}` : key;
  return wrongType(name, given, { type: "", expected: `${expected}, or an object with it` });
}

export function isList(link: object | readonly object[]): link is readonly object[] {
  return Array.isArray(link);
}
