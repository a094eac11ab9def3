import { answered, type Plan, type TablesRequest } from "../../core/rest/plan.ts";
import { keyColumns } from "./columns.ts";
import { errorReply, failedReply } from "./errors.ts";
import { findTable } from "./find-table.ts";
import { findKey, rowTarget } from "./key.ts";
import type { StatementTarget } from "./path.ts";
import { refusePragma } from "./pragma.ts";
import { isName } from "./words.ts";

/** Plans a DELETE: `DELETE FROM table WHERE key = ?`. The key is the path's, which composite keys cannot have. */
export function planDelete({ database }: TablesRequest, { name, key }: StatementTarget): Plan {
  const refused = refusePragma(name);
  if (refused !== undefined) return answered(refused);
  const table = findTable(database, name);
  const columns = table === undefined ? [] : keyColumns(table.schema);
  const found = findKey(columns, key, () => undefined);
  if (!found.ok) {
    return answered(errorReply(400, `Missing primary key value for '${found.missing}'`));
  }
  const target = table === undefined ? undefined : rowTarget(table.schema, found.values);
  if (table === undefined || target === undefined || !isName(name)) {
    return answered(failedReply("delete"));
  }
  const change = { kind: "delete", target } as const;
  return { kind: "write", table, name, operation: "delete", change, sent: undefined };
}
