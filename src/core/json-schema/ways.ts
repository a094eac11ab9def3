import { isObject, type JsonObject } from "../schema/json.ts";
import type { SchemaDocument, SubSchema } from "./schema-document.ts";

/** One way to fit schemas, with one of the alternatives chosen wherever they have some. */
export interface Way {
  /** The schemas that remain, without references or alternatives. */
  readonly parts: readonly JsonObject[];
  /** The schemas that references led to. */
  readonly entered: ReadonlySet<SubSchema>;
}

/** A way that is not complete yet: `open` has the schemas still to read. */
interface Draft extends Way {
  readonly open: readonly SubSchema[];
}

/** The ways to fit all of these schemas. `order` decides which alternative is tried first. */
export function* waysToFit(
  all: readonly SubSchema[],
  document: SchemaDocument,
  order: <Item>(items: readonly Item[]) => readonly Item[],
): Generator<Way> {
  const read = function* ({ open, parts, entered }: Draft): Generator<Way> {
    const [schema, ...rest] = open;
    if (schema === undefined) {
      yield { parts, entered };
      return;
    }
    if (schema === true) return yield* read({ open: rest, parts, entered });
    if (schema === false) return;
    const target = document.follow(schema);
    if (target === null) return;
    const isNew = target !== undefined && !entered.has(target);
    const next = {
      open: isNew ? [target, ...rest] : rest,
      parts: document.onlyRefers(schema) ? parts : [...parts, schema],
      entered: isNew ? new Set([...entered, target]) : entered,
    };
    if (document.onlyRefers(schema)) return yield* read(next);
    yield* choose(next, choicesOf(schema, order));
  };
  const choose = function* (draft: Draft, choices: readonly Choice[]): Generator<Way> {
    const [first, ...others] = choices;
    if (first === undefined) return yield* read(draft);
    for (const taken of first) {
      yield* choose({ ...draft, open: [...taken, ...draft.open] }, others);
    }
  };
  yield* read({ open: all, parts: [], entered: new Set() });
}

/** The alternatives that a keyword offers. Each is a list of schemas to fit. */
type Choice = readonly (readonly SubSchema[])[];

function choicesOf(
  { allOf, anyOf, oneOf, if: condition, then: whenSo, else: otherwise }: JsonObject,
  order: <Item>(items: readonly Item[]) => readonly Item[],
): readonly Choice[] {
  const choices: Choice[] = [];
  const all = schemasIn(allOf);
  if (all.length > 0) choices.push([all]);
  for (const either of [anyOf, oneOf]) {
    if (!Array.isArray(either)) continue;
    const options = order(schemasIn(either));
    // Null comes last, since it is the least useful example.
    const nullLast = [
      ...options.filter((option) => !isNull(option)),
      ...options.filter((option) => isNull(option)),
    ];
    choices.push(nullLast.map((option) => [option]));
  }
  if (condition !== undefined) {
    choices.push([schemasIn([condition, whenSo]), schemasIn([otherwise])]);
  }
  return choices;
}

function schemasIn(value: unknown): readonly SubSchema[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.filter((item) => typeof item === "boolean" || isObject(item));
}

function isNull(schema: SubSchema): boolean {
  return isObject(schema) && (schema["type"] === "null" || schema["const"] === null);
}
