import { asObject, isObject } from "../../../core/schema/json.ts";
import type { JsonRow } from "../../../core/store/value.ts";
import type { OpenApiDocument } from "./openapi-document.ts";

/** What the schema of an answer has of a table. */
export interface RowPlace {
  readonly schema: unknown;
  /** The members of the answer that lead to the rows. */
  readonly within: readonly string[];
}

/** What envelopes call the rows, the surest first. */
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

/** Lists beside the rows. */
const notRows =
  /^(?:_?links?|errors?|warnings?|messages?|included|meta|facets|aggregations|sort)$/i;

/** Where a schema has the list of rows: itself, or in an envelope, or in one within, or under the name of the table. */
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
  // An object that has several lists is no envelope, and neither is one within a row.
  const lists = inside(entries.filter(([, property]) => document.plainSchema(property)["items"]));
  return lists.length === 1 ? lists[0] : undefined;
}

export function isRow(items: unknown, document: OpenApiDocument): boolean {
  return Object.keys(document.propertiesOf(items)).length > 0;
}

/** Where a schema has the one row: in an envelope with little else, or itself. */
export function onePlace(given: unknown, document: OpenApiDocument): RowPlace | undefined {
  const properties = document.propertiesOf(given);
  const names = Object.keys(properties);
  const [key] = names.filter((name) => /^(?:data|item|result|record)$/i.test(name));
  const rest = names.filter((name) => name !== key && !notRows.test(name));
  if (key !== undefined && rest.length === 0 && isRow(properties[key], document)) {
    return { schema: properties[key], within: [key] };
  }
  return names.length > 0 ? { schema: given, within: [] } : undefined;
}

/** How an example is read. */
interface ExampleReading {
  readonly isOne: boolean;
  /** Whether the document shows it as a whole. Else it is made of the examples of parts. */
  readonly isOwn: boolean;
  readonly place: RowPlace | undefined;
  readonly tell: (message: string) => void;
}

/** The objects of an example: where its schema has them, else a list, or the only list in an envelope. */
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
  // Some give one element as the example of a list.
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
