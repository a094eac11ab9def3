import type {
  ColumnsAndConstraintsCreateTableBody as CreateTableBody,
  CreateTableStmt,
  TabFlags,
} from "sqlite3-parser";
import { showText } from "../../core/errors/show.ts";
import type { DeclaredIndex } from "../../core/store/schema.ts";
import { type ColumnDraft, finishColumn } from "./column-draft.ts";
import { placeIn, type Statement } from "./dump.ts";
import type { TableDefinition } from "./dump-table.ts";
import { readPrimaryKey } from "./primary-key.ts";
import { readColumn } from "./read-column.ts";
import { schemaSql } from "./schema-sql.ts";
import { foldName } from "./sql-names.ts";
import { readTableConstraints } from "./table-constraints.ts";

/** The parser's flags. It exports their types only. */
const flags: Pick<typeof TabFlags, "WithoutRowid" | "Strict"> = {
  WithoutRowid: 128,
  Strict: 65536,
};

/** Runs a `CREATE TABLE`. A table that cannot be had is remembered as missing. */
export function createTable(create: CreateTableStmt, statement: Statement): void {
  const { dump } = statement;
  const { problems } = dump;
  const { objName, dbName } = create.tblName;
  const name = objName.text;
  const place = placeIn(statement, objName);
  const isThere = dump.table(name) !== undefined || dump.isMissing(name);
  if (isThere && create.ifNotExists) return;
  const refusal = nameRefusal(name, statement);
  if (refusal !== undefined) {
    problems.report(place, refusal);
    // The rows that follow are for one table or the other, so they are judged by neither.
    dump.drop(name);
    dump.addMissing(name);
  } else if (create.temporary || isElsewhere(dbName?.text)) {
    problems.unsupported(place, `The temporary or attached table ${showText(name)}`);
    dump.addMissing(name);
  } else if (create.body.type === "AsSelectCreateTableBody") {
    problems.unsupported(place, `The table ${showText(name)}, which is made by AS SELECT,`);
    dump.addMissing(name);
  } else {
    const definition = readDefinition(create, create.body, statement);
    if (definition.columns.length > 0) return dump.add(definition);
    problems.unsupported(place, `The table ${showText(name)}, all columns of which are generated,`);
    dump.addMissing(name);
  }
}

/** Whether a name is qualified with a database other than the one that is dumped. */
export function isElsewhere(database: string | undefined): boolean {
  return database !== undefined && foldName(database) !== "main";
}

function nameRefusal(name: string, { dump }: Statement): string | undefined {
  const folded = foldName(name);
  if (name === "") return "A table's name must not be empty.";
  if (folded.startsWith("sqlite_")) {
    return `The name ${showText(name)} is SQLite's own. Give the table another one.`;
  }
  const other =
    dump.table(name)?.definition.name ??
    dump.others.find((schema) => foldName(schema.name) === folded)?.name;
  if (other === undefined) return undefined;
  const theSame = other === name ? "" : ", and SQLite does not tell them apart";
  return `There is another table ${showText(other)}${theSame}. Remove one of the two.`;
}

function readDefinition(
  create: CreateTableStmt,
  body: CreateTableBody,
  statement: Statement,
): TableDefinition {
  const { objName } = create.tblName;
  const name = objName.text;
  const drafts = readColumns(body, statement);
  const columns = drafts.filter((column) => !column.isGenerated);
  const withoutRowId = (body.flags & flags.WithoutRowid) !== 0;
  refuseStrict(body, name, statement);
  const { keys, uniques, foreignKeys } = readTableConstraints(body.constraints ?? [], {
    columns: drafts,
    statement,
    table: name,
  });
  const place = placeIn(statement, objName);
  const table = { name, place, columns, withoutRowId };
  const sql = schemaSql("CREATE TABLE", { whole: create, name: objName }, statement);
  const key = readPrimaryKey(keys, table, statement);
  const keyColumns = key.primaryKey.flatMap((own) => columns.find((one) => one.name === own) ?? []);
  return {
    name,
    sql,
    serial: statement.dump.nextSerial(),
    place,
    columns: columns.map(finishColumn),
    generated: drafts.filter((column) => column.isGenerated).map((column) => column.name),
    ...key,
    withoutRowId,
    constraints: uniques.filter((index) => !saysTheSame(index, keyColumns)),
    foreignKeys: [...columns.flatMap((column) => column.foreignKeys), ...foreignKeys],
  };
}

/** Whether the primary key says already what an index would. */
function saysTheSame({ columns }: DeclaredIndex, key: readonly ColumnDraft[]): boolean {
  const isPart = ({ name, collate }: DeclaredIndex["columns"][number], at: number): boolean =>
    name === key[at]?.name && collate === key[at]?.collate;
  return columns.length === key.length && columns.every(isPart);
}

function readColumns(body: CreateTableBody, statement: Statement): readonly ColumnDraft[] {
  const columns = new Map<string, ColumnDraft>();
  for (const definition of body.columns) {
    const column = readColumn(definition, statement);
    const folded = foldName(column.name);
    const other = columns.get(folded);
    if (other !== undefined) {
      const message = `There is another column ${showText(other.name)} in this table. Remove one of the two.`;
      statement.dump.problems.report(column.place, message);
    } else {
      columns.set(folded, column);
    }
  }
  return [...columns.values()];
}

/** The parser tells that the word is there, but not where: after the bracket that closes the table. */
function refuseStrict(body: CreateTableBody, name: string, statement: Statement): void {
  if ((body.flags & flags.Strict) === 0) return;
  const { file, start, dump } = statement;
  const end = start + body.span.offset + body.span.length;
  const written = file.text.slice(start + body.span.offset, end);
  const offset = end - written.length + Math.max(0, written.search(/\bstrict\b[^()]*$/i));
  dump.problems.unsupported(
    { file, offset },
    `STRICT of the table ${showText(name)}`,
    "its columns take what the profile of the tables lets them take",
  );
}
