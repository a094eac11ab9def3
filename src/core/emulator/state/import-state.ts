import { chatProfileNames } from "../../chat/profiles.ts";
import { cassetteSetOf } from "../../recordings/cassette.ts";
import { EmulatorError } from "../../errors/emulator-error.ts";
import { didYouMean } from "../../errors/show.ts";
import type { FixtureSet } from "../../fixture-set/fixture-set.ts";
import { readJsonDocument } from "../../fixture-set/read-fixtures.ts";
import { tablesProfileNames } from "../../tables/profiles.ts";
import { sizeOfRows } from "../../store/row-budget.ts";
import { MemoryTable } from "../../store/memory-table.ts";
import type { StorageRules } from "../../store/storage-rules.ts";
import type { Table } from "../../store/table.ts";
import { worldAdditions } from "../additions.ts";
import { randomFromState } from "../environment.ts";
import { FaultBook } from "../faults/fault-book.ts";
import type { Session } from "../session.ts";
import type { StateProfiles } from "./export-state.ts";
import { databaseOf, playsOf, randomOf, scriptsOf, State } from "../state.ts";

const parts: readonly string[] = [
  "$schema",
  "profiles",
  "models",
  "embeddings",
  "tables",
  "chats",
  "cassettes",
  "recording",
  "state",
];

/**
 * Replaces a session's state with a document parsed from JSON, until the next reset. Rejects with
 * `ERR_FIXTURES_INVALID`, and then changes nothing.
 */
export async function importState(
  session: Session,
  document: Readonly<Record<string, unknown>>,
  {
    storage,
    profiles,
  }: {
    readonly storage: StorageRules;
    readonly profiles?: StateProfiles;
  },
): Promise<void> {
  refuseSettings(document);
  refuseOtherProfiles(document["profiles"], profiles);
  const others = otherTables(session.state);
  const set = await readJsonDocument(
    { tables: {}, ...document },
    { storageFor: () => storage, otherTables: [...others.keys()] },
  );
  let size = 0;
  for (const { rows } of set.tables) size += sizeOfRows(rows);
  const state = stateOf(set, session.state, { storage, others });
  const { models, embeddings } = set;
  const world = { state, models, embeddings, cassettes: cassetteSetOf(set) };
  state.added.takeAll(worldAdditions(world));
  state.budget.take(size);
  session.become(world);
}

/** Refuses settings in a state: a state is what requests can change, and settings are options of the emulator. */
function refuseSettings(document: object): void {
  for (const key of Object.keys(document)) {
    if (parts.includes(key)) continue;
    throw new EmulatorError(
      "ERR_FIXTURES_INVALID",
      `Cannot import the state: "${key}" is not a part of a state.${didYouMean(key, parts)} ` +
        `Parts: ${parts.slice(1).join(", ")}. Set options when you create the emulator.`,
    );
  }
}

/**
 * Refuses the state of another profile, under which it has another meaning. Unknown profiles are left to the reader.
 */
function refuseOtherProfiles(given: unknown, own: Partial<StateProfiles> = {}): void {
  if (typeof given !== "object" || given === null) return;
  const profiles: Readonly<Record<string, unknown>> = { ...given };
  for (const [kind, profile] of Object.entries(own)) {
    const wanted = profiles[kind];
    if (typeof wanted !== "string" || wanted === profile || !known.includes(wanted)) continue;
    throw new EmulatorError(
      "ERR_FIXTURES_INVALID",
      `Cannot import the state: its profile for ${kind} is "${wanted}", and this emulator has "${profile}". ` +
        `Start it with that profile, or remove "profiles".`,
    );
  }
}

const known: readonly string[] = [...tablesProfileNames, ...chatProfileNames];

/** The program's own tables, the same in all states. */
function otherTables({ database }: State): ReadonlyMap<string, Table> {
  return new Map(
    database.names().flatMap((name) => {
      const table = database.table(name);
      return table === undefined || table instanceof MemoryTable ? [] : [[name, table] as const];
    }),
  );
}

interface Making {
  readonly storage: StorageRules;
  readonly others: ReadonlyMap<string, Table>;
}

/** The state in a document. Random numbers and rate limits that it leaves out continue from the previous state. */
function stateOf(set: FixtureSet, before: State, { storage, others }: Making): State {
  const { state } = set;
  const { budget, added } = before;
  const clock = before.clock.fork();
  clock.standsAt = state.clock;
  const limiter = before.limiter.fork();
  limiter.restoreLevels({ ...state.limits });
  const database = databaseOf(set, { storage, now: clock.now, budget });
  return new State({
    database: database.withTables(others),
    scripts: scriptsOf(set),
    limiter,
    faults: FaultBook.of(state.faults ?? [], before.faults.snapshot().lastNumber),
    plays: playsOf(set),
    guestTables: new Map(),
    random: randomOf(state) ?? randomFromState(before.snapshot().random),
    seed: state.seed ?? before.seed,
    clock,
    budget,
    added,
  });
}
