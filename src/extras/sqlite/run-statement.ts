import type { DropTableStmt, Stmt } from "sqlite3-parser";
import { showText } from "../../core/errors/show.ts";
import { createIndex, dropIndex } from "./create-index.ts";
import { createTable } from "./create-table.ts";
import { placeIn, type Statement } from "./dump.ts";
import { insertRows } from "./insert-rows.ts";
import { isStatistics } from "./system-tables.ts";
import { foldName } from "./sql-names.ts";

/** Runs a statement on the dump. What is not supported is told of and left out. */
export function runStatement(statement: Stmt, context: Statement): void {
  const { dump } = context;
  switch (statement.type) {
    case "CreateTableStmt":
      return createTable(statement, context);
    case "CreateIndexStmt":
      return createIndex(statement, context);
    case "InsertStmt":
      return insertRows(statement, context);
    case "DropTableStmt":
      return dropTable(statement, context);
    case "DropIndexStmt": {
      const { idxName, ifExists } = statement;
      const name = idxName.objName.text;
      if (dropIndex(name, context) || ifExists) return;
      return dump.problems.report(
        placeIn(context, idxName),
        `There is no index ${showText(name)}.`,
      );
    }
    case "DeleteStmt": {
      const name = statement.tblName.objName.text;
      if (isStatistics(name)) return;
      const isAll = statement.whereClause === undefined && statement.limit === undefined;
      if (foldName(name) === "sqlite_sequence" && isAll) return dump.forgetSequences();
      break;
    }
    default:
      if (!hasEffect(statement)) return;
  }
  refuse(statement, context);
}

/** Of these, nothing can be seen in the tables. */
const withoutEffect: ReadonlySet<Stmt["type"]> = new Set<Stmt["type"]>([
  "AnalyzeStmt",
  "BeginStmt",
  "CommitStmt",
  "DropTriggerStmt",
  "DropViewStmt",
  "PragmaStmt",
  "ReindexStmt",
  "ReleaseStmt",
  "SavepointStmt",
]);

/** Whether anything of a statement can be seen in the tables. */
export function hasEffect({ type }: Stmt): boolean {
  return !withoutEffect.has(type);
}

function dropTable({ tblName, ifExists }: DropTableStmt, context: Statement): void {
  const { dump } = context;
  const name = tblName.objName.text;
  if (!dump.drop(name) && !ifExists) dump.find(name, placeIn(context, tblName));
}

function refuse(statement: Stmt, context: Statement): void {
  const { dump } = context;
  const place = { file: context.file, offset: context.start };
  const missing = createdName(statement);
  if (missing !== undefined) dump.addMissing(missing);
  dump.problems.unsupported(place, describe(statement));
}

/** What later statements may name. */
function createdName(statement: Stmt): string | undefined {
  if (statement.type === "CreateViewStmt") return statement.viewName.objName.text;
  return statement.type === "CreateVirtualTableStmt" ? statement.tblName.objName.text : undefined;
}

function describe(statement: Stmt): string {
  switch (statement.type) {
    case "CreateViewStmt":
      return `The view ${showText(statement.viewName.objName.text)}`;
    case "CreateVirtualTableStmt":
      return `The virtual table ${showText(statement.tblName.objName.text)}`;
    case "CreateTriggerStmt":
      return `The trigger ${showText(statement.triggerName.objName.text)}`;
    default:
      return `The statement ${words.get(statement.type) ?? statement.type}`;
  }
}

const words: ReadonlyMap<Stmt["type"], string> = new Map<Stmt["type"], string>([
  ["AlterTableStmt", "ALTER TABLE"],
  ["AttachStmt", "ATTACH"],
  ["DeleteStmt", "DELETE"],
  ["DetachStmt", "DETACH"],
  ["ExplainStmt", "EXPLAIN"],
  ["RollbackStmt", "ROLLBACK"],
  ["SelectStmt", "SELECT"],
  ["UpdateStmt", "UPDATE"],
  ["VacuumStmt", "VACUUM"],
]);
