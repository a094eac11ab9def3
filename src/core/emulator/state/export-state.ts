import type { ScriptBook } from "../../chat/scripts/script-book.ts";
import { MemoryTable } from "../../store/memory-table.ts";
import type { ChatProfile } from "../../chat/profiles.ts";
import type { TablesProfile } from "../../tables/profiles.ts";
import type { World } from "../state.ts";
import type { ResolvedSettings } from "../../settings/resolve-settings.ts";
import { cellsOf, isOfDatabase, writtenRow, schemaDocument } from "./export-table.ts";
import type { RowId } from "../../store/value.ts";

/** The profiles under which a state was made. */
export interface StateProfiles {
  readonly tables: TablesProfile["name"];
  readonly chat: ChatProfile["name"];
}

/** The profiles that settings choose. */
export function profilesOf({
  tablesProfile,
  chatProfile,
}: Pick<ResolvedSettings, "tablesProfile" | "chatProfile">): StateProfiles {
  return { tables: tablesProfile.name, chat: chatProfile.name };
}

/**
 * A state as one fixture document: models, tables, scripts and cassettes, and the rest under `state`. With `profiles`
 * it names those that are not the default. Throws `ERR_FIXTURES_INVALID` for a table that a document cannot express,
 * such as some of a SQL dump.
 */
export function exportState(world: World, profiles?: StateProfiles): object {
  const { models, embeddings } = world;
  const state = world.state.fork();
  const { tables, random, limiter, clock, faults, plays } = state.snapshot();
  const played = plays.entries();
  const documents: (readonly [string, object])[] = [];
  const keys: (readonly [string, unknown])[] = [];
  const cells: (readonly [string, readonly unknown[]])[] = [];
  const rowIds: (readonly [string, readonly unknown[]])[] = [];
  const asStored: string[] = [];
  for (const [name, { largestId, layout }] of tables.tables) {
    const table = state.database.table(name);
    // A guest may have replaced the table.
    if (!(table instanceof MemoryTable)) continue;
    const { schema } = table;
    const rows = table.rows();
    const written = rows.map(writtenRow);
    documents.push([name, { ...schemaDocument(schema, layout.storage), rows: written }]);
    if (largestId !== undefined) keys.push([name, wireId(largestId)]);
    cells.push([name, cellsOf(rows, schema, layout.storage)]);
    rowIds.push([name, (unexportedRowIds(table) ?? []).map(wireId)]);
    if (isOfDatabase(table)) asStored.push(name);
  }
  return {
    ...profilesDocument(profiles),
    models,
    ...(embeddings.length === 0 ? {} : { embeddings }),
    tables: Object.fromEntries(documents),
    chats: state.scripts.list(),
    ...cassetteParts(world),
    state: {
      ...(clock === undefined ? {} : { clock: new Date(clock).toISOString() }),
      random,
      matches: matchCounts(state.scripts),
      ...(played.length === 0 ? {} : { played: Object.fromEntries(played) }),
      keys: Object.fromEntries(keys),
      limits: Object.fromEntries(limiter),
      ...(faults.planned.length === 0 ? {} : { faults: faults.planned }),
      ...(asStored.length === 0 ? {} : { asStored }),
      ...namedParts("rowIds", rowIds),
      ...namedParts("cells", cells),
    },
  };
}

function cassetteParts({ cassettes: set }: World): object {
  if (set === undefined) return {};
  const { cassettes, rules } = set;
  const isUsual = Object.values(rules).every((part) => part.length === 0);
  return { cassettes, ...(isUsual ? {} : { recording: rules }) };
}

function profilesDocument(profiles: Partial<StateProfiles> = {}): object {
  const named = Object.entries(profiles).filter(([, profile]) => profile !== "document");
  return named.length === 0 ? {} : { profiles: Object.fromEntries(named) };
}

/** A part of the document by table, left out if no table has any items. */
function namedParts(
  part: string,
  tables: readonly (readonly [string, readonly unknown[]])[],
): Readonly<Record<string, unknown>> {
  const some = tables.filter(([, items]) => items.length > 0);
  return some.length === 0 ? {} : { [part]: Object.fromEntries(some) };
}

/** Throws like `exportState` if a document cannot express a table's schema. */
export function refuseInexpressible({ state }: Pick<World, "state">): void {
  for (const [name, { layout }] of state.database.snapshot().tables) {
    const table = state.database.table(name);
    if (table instanceof MemoryTable) schemaDocument(table.schema, layout.storage);
  }
}

/** How many requests each script has answered, by name, without zeros. */
export function matchCounts(scripts: ScriptBook): Readonly<Record<string, number>> {
  return Object.fromEntries(
    scripts
      .list()
      .map((script) => [script.name, scripts.matchesOf(script)] as const)
      .filter(([, matches]) => matches > 0),
  );
}

function wireId(id: number | bigint): number | string {
  return typeof id === "number" && Number.isSafeInteger(id) ? id : String(BigInt(id));
}

/**
 * The row ids of a table that an export must list; undefined if the rows contain them or a load would number the rows
 * in the same way.
 */
export function unexportedRowIds({ state }: MemoryTable): readonly RowId[] | undefined {
  const { layout, rows } = state;
  if (layout.hiddenRowId === undefined) return undefined;
  const ids: RowId[] = [];
  rows.visit({ from: 0, to: rows.size }, (id) => ids.push(id) > 0);
  return ids.some((id, index) => id !== index + 1) ? ids : undefined;
}
