import { nearestName } from "../errors/show.ts";
import { decodedOrSent } from "../http/url-parts.ts";
import type { Database } from "../store/database.ts";
import { filledPieces } from "./parameters.ts";
import { referringColumn } from "./relations.ts";

/** The rows that a path seems to mean. */
export interface FoundRows {
  readonly table: string;
  /** The rows' path below the mount point, such as `/rest/posts/1`. */
  readonly path: string;
  /** Whether the path has the table's exact name. */
  readonly isExact: boolean;
}

/** Segments of a path that are not the name of a table. */
const nonTableSegment = /^(?:api|rest|db|data|tables?|v\d+(?:\.\d+)*)$/i;

/**
 * Finds the rows that an unknown path seems to mean: `/posts` or `/api/v2/posts/1` as other services have them,
 * `/posts/1/comments`, or a table name with a typo.
 */
export function findRows(path: string, database: Database): FoundRows | undefined {
  const segments = filledPieces(path, "/");
  const names = segments.map(decodedOrSent);
  const known = database.names();
  const exact = names.findIndex((name) => known.includes(name));
  const at = exact >= 0 ? exact : names.findIndex((name) => !nonTableSegment.test(name));
  const table = exact >= 0 ? names[exact] : nearestName(names[at] ?? "", known);
  if (table === undefined) return undefined;
  const [key, ...rest] = segments.slice(at + 1);
  const isExact = exact >= 0;
  return (
    rowsBelow({ table, key, rest }, database, isExact) ?? {
      table,
      path: pathOf(table, key),
      isExact,
    }
  );
}

interface Below {
  readonly table: string;
  readonly key: string | undefined;
  /** The segments after the key. */
  readonly rest: readonly string[];
}

/** The rows of a child table: `/posts/1/comments`, or one of them. */
function rowsBelow(
  { table, key, rest: [name, childKey] }: Below,
  database: Database,
  isExact: boolean,
): FoundRows | undefined {
  if (key === undefined || name === undefined) return undefined;
  const child = nearestName(decodedOrSent(name), database.names());
  const schema = child === undefined ? undefined : database.table(child)?.schema;
  if (child === undefined || schema === undefined) return undefined;
  if (childKey !== undefined) return { table: child, path: pathOf(child, childKey), isExact };
  const column = referringColumn(schema, table);
  const filter = column === undefined ? "" : `?${encodeURIComponent(column)}=${key}`;
  return { table: child, path: `${pathOf(child)}${filter}`, isExact };
}

function pathOf(table: string, key?: string): string {
  return `/rest/${encodeURIComponent(table)}${key === undefined ? "" : `/${key}`}`;
}
