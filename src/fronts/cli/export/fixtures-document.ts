import { Core } from "../../../core/emulator/core.ts";
import { exportState } from "../../../core/emulator/state/export-state.ts";
import type { FixtureSet } from "../../../core/fixture-set/fixture-set.ts";
import { assembleFiles, fixturesOf } from "../../../core/fixture-set/read-fixtures.ts";
import { asObject, isObject, type JsonObject } from "../../../core/schema/json.ts";
import { Findings } from "../../../core/schema/schema.ts";
import { nodeExtras } from "../../node/extras.ts";
import type { FixturePlace } from "../../node/fixture-place.ts";
import { readFixtureTexts } from "../../node/fixture-texts.ts";
import type { FixtureFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { loadToServe } from "../load-fixtures.ts";

/**
 * Fixtures as one document. Whatever is JSON stays as written, including settings and templates of generated rows;
 * tables of databases are added with their rows. Rejects with an `EmulatorError` like `check`.
 */
export async function fixturesDocument(
  place: FixturePlace,
  { options, io }: { readonly options: FixtureFlags; readonly io: Io },
): Promise<object> {
  const set = await loadToServe(place, { options, io });
  const core = new Core(set, {}, { extras: nodeExtras });
  const { layout, files } = readFixtureTexts(place.path, io.cwd);
  const written = await fixturesOf(await assembleFiles(files, layout), new Findings());
  const { $schema, chats, cassettes, tables, state, ...others } = written ?? {};
  const fromDatabases = databaseParts(exportState(core.sessions.base), asObject(tables) ?? {});
  const parts = {
    chats: named(chats, set.scripts),
    // Always present: a document without any reserved key would be taken for one of tables.
    tables: { ...asObject(tables), ...fromDatabases.tables },
    cassettes: named(cassettes, set.cassettes),
    state: mergedState(asObject(state), fromDatabases.state),
  };
  return {
    // A relative path would lead elsewhere from the exported file.
    ...(typeof $schema === "string" && /^https?:/.test($schema) ? { $schema } : {}),
    ...others,
    ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)),
  };
}

/** Adds the names that scripts or cassettes of a folder get from their files. */
function named(
  written: unknown,
  read: FixtureSet["scripts"] | FixtureSet["cassettes"],
): readonly unknown[] | undefined {
  if (!Array.isArray(written)) return undefined;
  return written.map((part: unknown, index) => ({ name: read[index]?.name, ...asObject(part) }));
}

/** The parts of a state that are about tables, by name. */
const tableParts = ["keys", "rowIds", "cells"] as const;

interface DatabaseParts {
  readonly tables: JsonObject;
  readonly state: JsonObject;
}

/** The tables and the parts of an exported state that are not written as JSON in the fixtures. */
function databaseParts(exported: object, written: JsonObject): DatabaseParts {
  const { tables, state } = exported as { readonly tables: JsonObject; readonly state: JsonObject };
  const isOfDatabase = (name: string): boolean => !Object.hasOwn(written, name);
  const ofDatabases = (part: unknown): JsonObject =>
    Object.fromEntries(Object.entries(asObject(part) ?? {}).filter(([name]) => isOfDatabase(name)));
  const { asStored = [] } = state as { readonly asStored?: readonly string[] };
  return {
    tables: ofDatabases(tables),
    state: {
      ...Object.fromEntries(tableParts.map((part) => [part, ofDatabases(state[part])])),
      asStored: asStored.filter(isOfDatabase),
    },
  };
}

/** The written state with the parts about tables of databases. Undefined if there are neither. */
function mergedState(
  written: JsonObject | undefined,
  ofDatabases: JsonObject,
): JsonObject | undefined {
  const merged: Record<string, unknown> = { ...written };
  for (const [part, value] of Object.entries(ofDatabases)) {
    if (Object.keys(value as object).length === 0) continue;
    const before = merged[part];
    merged[part] = Array.isArray(value)
      ? [...(Array.isArray(before) ? before : []), ...value]
      : { ...(isObject(before) ? before : {}), ...(value as object) };
  }
  return Object.keys(merged).length === 0 ? undefined : merged;
}
