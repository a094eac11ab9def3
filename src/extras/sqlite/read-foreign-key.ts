import type { ForeignKeyClause, RefArg } from "sqlite3-parser";
import { showText } from "../../core/errors/show.ts";
import type { WrittenForeignKey } from "./dump-table.ts";
import { placeIn, type Statement } from "./dump.ts";

/** A foreign key of these columns. Actions that the store does not take are told of and left out. */
export function readForeignKey(
  columns: readonly string[],
  clause: ForeignKeyClause,
  statement: Statement,
): WrittenForeignKey {
  const table = clause.tblName.text;
  for (const argument of clause.args) {
    const action = actionOf(argument);
    if (action === undefined) continue;
    statement.dump.problems.unsupported(
      placeIn(statement, argument),
      `${action} of the foreign key to ${showText(table)}`,
      "rows that are referred to cannot be deleted or get another key",
    );
  }
  return {
    columns,
    table,
    to: clause.columns?.map(({ colName }) => colName.text),
    place: placeIn(statement, clause),
  };
}

const actions = {
  SetNull: "SET NULL",
  SetDefault: "SET DEFAULT",
  Cascade: "CASCADE",
  Restrict: undefined,
  NoAction: undefined,
} as const;

/** The action that the store does not take. `MATCH` has no effect in SQLite, and `ON INSERT` neither. */
function actionOf(argument: RefArg): string | undefined {
  if (argument.type !== "OnDeleteRefArg" && argument.type !== "OnUpdateRefArg") return undefined;
  const action = actions[argument.action];
  const event = argument.type === "OnDeleteRefArg" ? "DELETE" : "UPDATE";
  return action === undefined ? undefined : `ON ${event} ${action}`;
}
