import { EmulatorError } from "../../errors/emulator-error.ts";
import { type Column, CurrentTime, type TableSchema } from "../../store/schema.ts";
import { BlobValue } from "../../store/value.ts";
import type { Session } from "../session.ts";
import { wireRows } from "./table-rows.ts";

/**
 * A session's state as one fixture document: models, tables and scripts, and under `state` what they do not say.
 * Rejects with `ERR_FIXTURES_INVALID` for a table that a document cannot say, as some of a SQL dump.
 */
export function exportState(session: Session): object {
  const { state, models } = session;
  const { tables, random, limiter } = state.snapshot();
  const entries = [...tables.tables].map(([name, { largestId }]) => ({ name, largestId }));
  return {
    models,
    tables: Object.fromEntries(entries.map(({ name }) => [name, tableDocument(session, name)])),
    chats: state.scripts.list(),
    state: {
      random,
      matches: Object.fromEntries(
        state.scripts
          .list()
          .map((script) => [script.name, state.scripts.matchesOf(script)] as const)
          .filter(([, matches]) => matches > 0),
      ),
      keys: Object.fromEntries(
        entries.flatMap(({ name, largestId }) =>
          largestId === undefined ? [] : [[name, wireId(largestId)]],
        ),
      ),
      limits: Object.fromEntries(limiter),
    },
  };
}

function wireId(id: number | bigint): number | string {
  return typeof id === "bigint" ? String(id) : id;
}

function tableDocument({ state }: Session, name: string): object {
  const table = state.database.table(name);
  const schema = table?.schema;
  if (table === undefined || schema === undefined) return {};
  refuseUnsayable(schema);
  if (table.rows().some((row) => Object.values(row).some((value) => value instanceof BlobValue))) {
    throw cannotSay(name, "rows with blobs");
  }
  const { primaryKey, columns } = schema;
  return {
    primaryKey: primaryKey.length === 1 ? primaryKey[0] : primaryKey,
    columns: Object.fromEntries(columns.map((column) => [column.name, columnDocument(column)])),
    rows: wireRows(state, name) ?? [],
  };
}

function columnDocument(column: Column): object {
  const { type, notNull, unique, references, collate } = column;
  return {
    type,
    ...(notNull ? { notNull } : {}),
    ...(unique ? { unique } : {}),
    ...(column.default === undefined ? {} : { default: column.default }),
    ...(references === undefined ? {} : { references: `${references.table}.${references.column}` }),
    ...(collate === "BINARY" ? {} : { collate }),
  };
}

/** What only SQL can say. */
function refuseUnsayable({ name, columns, indexes, foreignKeys, ...others }: TableSchema): void {
  if (foreignKeys !== undefined && foreignKeys.length > 0) {
    throw cannotSay(name, "foreign keys of several columns");
  }
  if (indexes?.some(({ unique }) => unique) === true) {
    throw cannotSay(name, "columns that are unique together");
  }
  if (others.withoutRowId === true) throw cannotSay(name, "no row ids");
  if (others.autoIncrement === true) throw cannotSay(name, "AUTOINCREMENT");
  if (columns.some((column) => column.default instanceof CurrentTime)) {
    throw cannotSay(name, "a default that is the time");
  }
  if (columns.some(({ collate }) => collate === "RTRIM")) {
    throw cannotSay(name, "the collation RTRIM");
  }
}

function cannotSay(table: string, what: string): EmulatorError {
  return new EmulatorError(
    "ERR_FIXTURES_INVALID",
    `Cannot export the state: the table "${table}" has ${what}, which a fixture document cannot say. ` +
      "Keep the SQL dump that it comes from.",
  );
}
