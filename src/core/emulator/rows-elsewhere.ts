import { findRows } from "../tables/find-rows.ts";
import type { Exchange } from "./exchange.ts";

/**
 * A sentence that says where the rows are that an unknown path seems to mean: other services have tables at the root,
 * or below another prefix. Undefined: the path resembles no table.
 */
export function rowsElsewhere({ call, session, settings }: Exchange): string | undefined {
  const { tablesBasePaths } = settings;
  const base =
    tablesBasePaths.find((mount) => call.path.startsWith(`${mount}/`)) ??
    tablesBasePaths.at(-1) ??
    "";
  const below = call.path.startsWith(`${base}/`) ? call.path.slice(base.length) : call.path;
  const rows = findRows(below, session.state.database);
  if (rows === undefined) return undefined;
  const address = `${call.prefix ?? ""}${base}${rows.path}`;
  return rows.isExact
    ? `The rows of ${JSON.stringify(rows.table)} are at ${address}.`
    : `Did you mean ${address}?`;
}
