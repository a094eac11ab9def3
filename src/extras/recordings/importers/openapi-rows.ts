import { asObject, isObject } from "../../../core/schema/json.ts";
import type { JsonRow } from "../../../core/store/value.ts";
import type { OpenApiDocument } from "./openapi-document.ts";

/** The place of a table's rows in the schema of an answer. */
export interface RowPlace {
  readonly schema: unknown;
  /** The members of the answer that lead to the rows. */
  readonly within: readonly string[];
}

/** The names of the rows in envelopes, the surest first. */
const envelopes = [
  "data",
  "items",
  "results",
  "result",
  "values",
  "records",
  "rows",
  "entries",
  "content",
  "list",
  "_embedded",
];

/** Names of lists that are not the rows. */
const notRows =
  /^(?:_?links?|errors?|warnings?|messages?|included|meta|facets|aggregations|sort)$/i;

/**
 * Where a schema has the list of rows: it is the list, or has it in one or several envelopes, or under the name of the
 * table.
 */
export function listPlace(
  given: unknown,
  document: OpenApiDocument,
  table: string | undefined,
  depth = 0,
): RowPlace | undefined {
  const { items } = document.plainSchema(given);
  if (items !== undefined)
    return isRow(items, document) ? { schema: items, within: [] } : undefined;
  if (depth > 2) return undefined;
  const entries = Object.entries(document.propertiesOf(given)).filter(
    ([key]) => !notRows.test(key),
  );
  const inside = (chosen: typeof entries): readonly RowPlace[] =>
    chosen.flatMap(([key, property]) => {
      const found = listPlace(property, document, table, depth + 1);
      return found === undefined ? [] : [{ ...found, within: [key, ...found.within] }];
    });
  const known = inside(
    envelopes.flatMap((name) => entries.filter(([key]) => key.toLowerCase() === name)),
  );
  if (known[0] !== undefined) return known[0];
  const own = inside(entries.filter(([key]) => key.toLowerCase() === table?.toLowerCase()));
  if (own[0]?.within.length === 1) return own[0];
  // An object with several lists is no envelope.
  const lists = inside(entries.filter(([, property]) => document.plainSchema(property)["items"]));
  return lists.length === 1 ? lists[0] : undefined;
}

export function isRow(items: unknown, document: OpenApiDocument): boolean {
  return Object.keys(document.propertiesOf(items)).length > 0;
}

/** Where a schema has a single row: in an envelope with few other keys, else the schema itself is the row. */
export function singleRowPlace(given: unknown, document: OpenApiDocument): RowPlace | undefined {
  const properties = document.propertiesOf(given);
  const names = Object.keys(properties);
  const [key] = names.filter((name) => /^(?:data|item|result|record)$/i.test(name));
  const rest = names.filter((name) => name !== key && !notRows.test(name));
  if (key !== undefined && rest.length === 0 && isRow(properties[key], document)) {
    return { schema: properties[key], within: [key] };
  }
  return names.length > 0 ? { schema: given, within: [] } : undefined;
}

/** Options for reading an example. */
interface ExampleReading {
  readonly isOne: boolean;
  /** Whether the document has the example as a whole. Otherwise it was made of the examples of parts. */
  readonly isOwn: boolean;
  readonly place: RowPlace | undefined;
  readonly tell: (message: string) => void;
}

/** The rows in an example: those at the place that its schema shows, else a list, or the only list in an envelope. */
export function rowsIn(
  value: unknown,
  { isOne, isOwn, place, tell }: ExampleReading,
): readonly JsonRow[] {
  const inside = (place?.within ?? []).reduce(
    (holder: unknown, key) => asObject(holder)?.[key],
    value,
  );
  const found = inside ?? value;
  const leaveOut = (why: string): readonly JsonRow[] => {
    if (isOwn) tell(`left out: an example ${why}`);
    return [];
  };
  if (Array.isArray(found)) {
    const rows = found.filter(isObject) as JsonRow[];
    if (rows.length < found.length) leaveOut("has items in its list that are no objects");
    return rows;
  }
  if (!isObject(found)) return leaveOut("has no list of objects");
  // Some documents have a single element as the example of a list.
  if (isOne || place?.within.length === 0) return [found as JsonRow];
  const [only, ...others] = Object.entries(found).filter(
    ([, item]) => Array.isArray(item) && item.every(isObject),
  );
  if (only === undefined) return leaveOut("has no list of objects");
  if (others.length > 0) return leaveOut("has several lists, and none is named as its schema says");
  const [key, rows] = only;
  tell(`the rows are those in ${JSON.stringify(key)} of the answer; its other keys were left out`);
  return rows as JsonRow[];
}
