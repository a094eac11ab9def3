import { MatchCounts } from "../../chat/scripts/match-counts.ts";
import { ScriptBook } from "../../chat/scripts/script-book.ts";
import { ScriptList } from "../../chat/scripts/script-list.ts";
import { EmulatorError } from "../../errors/emulator-error.ts";
import { didYouMean } from "../../errors/nearest-name.ts";
import type { FixtureSet } from "../../fixtures/fixture-set.ts";
import { check } from "../../fixtures/format/check.ts";
import { locate } from "../../fixtures/locate.ts";
import { Findings } from "../../fixtures/problems.ts";
import { problemsError } from "../../fixtures/problems-error.ts";
import { readFixtureDocument } from "../../fixtures/read-fixtures.ts";
import { memorySource } from "../../fixtures/source.ts";
import { Database } from "../../store/database.ts";
import type { RowId } from "../../store/row-id.ts";
import type { StorageRules } from "../../store/storage-rules.ts";
import type { Table } from "../../store/table.ts";
import { randomFromState } from "../environment.ts";
import type { Session } from "../session.ts";
import { State } from "../state.ts";
import { type Counters, countersSchema } from "./state-format.ts";

/** What an import goes by. */
export interface ImportSetup {
  readonly storage: StorageRules;
  /** The time, in milliseconds of Unix time. */
  readonly now: () => number;
}

const parts: readonly string[] = ["$schema", "models", "tables", "chats", "state"];

/**
 * Makes a session's state what a document says, until its next reset. Rejects with `ERR_FIXTURES_INVALID`, and changes
 * nothing then.
 */
export async function importState(
  session: Session,
  document: Readonly<Record<string, unknown>>,
  setup: ImportSetup,
): Promise<void> {
  refuseSettings(document);
  const { state, ...fixtures } = document;
  const others = otherTables(session.state);
  const set = await readFixtureDocument(
    { tables: {}, ...fixtures },
    { storageFor: () => setup.storage, otherTables: [...others.keys()] },
  );
  const counters = readCounters(state);
  session.become(stateOf(set, counters, { ...setup, others, before: session.state }), set.models);
}

/** A state is what requests can change; how the emulator behaves is for its options. */
function refuseSettings(document: object): void {
  for (const key of Object.keys(document)) {
    if (parts.includes(key)) continue;
    throw new EmulatorError(
      "ERR_FIXTURES_INVALID",
      `Cannot import the state: "${key}" is no part of it.${didYouMean(key, parts)} ` +
        `Parts: ${parts.slice(1).join(", ")}. Settings are given when the emulator is made.`,
    );
  }
}

/** The user's own collections, which are the same in all states. */
function otherTables({ database }: State): ReadonlyMap<string, Table> {
  const { tables } = database.snapshot();
  return new Map(
    database.names().flatMap((name) => {
      const table = tables.has(name) ? undefined : database.table(name);
      return table === undefined ? [] : [[name, table] as const];
    }),
  );
}

function readCounters(value: unknown): Counters {
  if (value === undefined) return {};
  const findings = new Findings();
  const counters = check(countersSchema, value, { path: ["state"], findings });
  const { random } = counters ?? {};
  if (random !== undefined && random.length !== 4) {
    findings.report(
      ["state", "random"],
      `"random" must be four numbers, but has ${random.length}.`,
    );
  }
  if (counters !== undefined && findings.none) return counters;
  const problems = findings.list.map((finding) => locate(memorySource, finding));
  throw problemsError("ERR_FIXTURES_INVALID", "import the state", {
    problems,
    more: findings.more,
  });
}

interface Making extends ImportSetup {
  readonly others: ReadonlyMap<string, Table>;
  /** What is not told stays as it is. */
  readonly before: State;
}

function stateOf(set: FixtureSet, counters: Counters, making: Making): State {
  const { storage, now, others, before } = making;
  const { keys = {}, matches = {}, random, limits } = counters;
  const contents = set.tables.map((table) => {
    const { name } = table.schema;
    const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
    return { ...table, lastGeneratedKey: key === undefined ? undefined : rowIdOf(key) };
  });
  const limiter = before.limiter.fork();
  if (limits !== undefined) limiter.restoreLevels(limits);
  return new State({
    database: Database.load(contents, { storage, now }).withTables(others),
    scripts: new ScriptBook({
      scripts: ScriptList.of(set.scripts),
      matches: MatchCounts.of(Object.entries(matches)),
    }),
    limiter,
    collections: new Map(),
    random: randomFromState(random ?? before.snapshot().random),
  });
}

function rowIdOf(key: number | string): RowId {
  if (typeof key === "number") return key;
  const exact = BigInt(key);
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}
