import type { JsonSchema } from "../../src/core/schema/schema.ts";
import { type KeyRow, keysOf, type LinkTo } from "./describe-schema.ts";
import { code, table } from "./markdown.ts";

/** A table of the keys that somebody writes. */
export function keysToGive(schema: JsonSchema, linkTo: LinkTo): string {
  return tableToGive(keysOf(schema, linkTo));
}

/** The same without the keys within the values of others. */
export function outerKeysToGive(schema: JsonSchema): string {
  return tableToGive(keysOf(schema, () => undefined).filter(({ path }) => !/[.[]/.test(path)));
}

function tableToGive(keys: readonly KeyRow[]): string {
  const rows = keys.map(({ path, type, isRequired, standard, meaning }) => [
    code(path),
    type,
    isRequired ? "(required)" : standard,
    meaning,
  ]);
  return table(["key", "type", "default", "meaning"], rows);
}

/** A table of the keys that somebody gets. */
export function keysToGet(schema: JsonSchema, linkTo: LinkTo): string {
  const rows = keysOf(schema, linkTo).map(({ path, type, meaning }) => [code(path), type, meaning]);
  return table(["key", "type", "meaning"], rows);
}
