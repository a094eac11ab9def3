import {
  type Emulator,
  emulatorFrom,
  type EmulatorOptions,
  fixtureSetFrom,
} from "./core/emulator/emulator.ts";
import type { CollectionTables } from "./core/emulator/typed-tables.ts";
import type { Extras } from "./core/emulator/extras.ts";
import type { ServedCollections } from "./core/emulator/backends.ts";
import { refuseOlderNode } from "./fronts/needs/refuse-older.ts";
import { starbasedbProfile } from "./extras/starbasedb/profile.ts";

export type { ChatScripts } from "./core/emulator/chats.ts";
export type {
  CollectionColumn,
  CollectionTables,
  DeclaredCollection,
} from "./core/emulator/typed-tables.ts";
export type {
  Emulator,
  EmulatorOptions,
  EmulatorSession,
  KeptSnapshots,
  RequestJournal,
} from "./core/emulator/emulator.ts";
export type { JournalFilter } from "./core/emulator/journal/filter.ts";
export type { JournalEntry } from "./core/emulator/journal/entry.ts";
export type {
  AnswerPlan,
  ClosestRecording,
  MissedCriterion,
  MissedScript,
  PlanTest,
} from "./core/http/answerer.ts";
export type { ExchangeRecord, Observer } from "./core/emulator/exchange.ts";
export type { PlannedFaults } from "./core/emulator/faults/planned-faults.ts";
export type { EmulatorSettings } from "./core/settings/settings.ts";
export type { SessionOptions } from "./core/emulator/session-options.ts";
export type { Snapshot } from "./core/emulator/state.ts";
export type { CollectionHandle, Key, TableHandle } from "./core/emulator/tables.ts";
export type { TablesOf } from "./core/emulator/typed-tables.ts";
export {
  EmulatorError,
  type EmulatorErrorCode,
  isEmulatorError,
  type Problem,
} from "./core/errors/emulator-error.ts";
export type { FixtureSet } from "./core/fixture-set/fixture-set.ts";
export type { Delay as FaultDelay } from "./core/chat/delay.ts";
export type { FaultRule, PlannedFault } from "./core/fixture-set/format/fault-format.ts";
export type { Script, ScriptReply, When } from "./core/chat/scripts/script.ts";
export type { JsonValue } from "./core/schema/json.ts";
export type { Row, RowValue } from "./core/emulator/tables.ts";

refuseOlderNode();

/** What the library has besides the core. */
const extras = {
  tableProfiles: [starbasedbProfile],
  collections: async () =>
    (await import("./extras/collections/read-collections.ts")).readCollections,
  control: async () => (await import("./core/control/answer-control.ts")).answerControl,
  console: () => import("./extras/console/console-page.ts"),
} satisfies Extras;

/**
 * Makes an emulator of both interfaces from fixtures. Rejects with an `EmulatorError` when fixtures or options
 * are wrong.
 *
 * @example
 * const emulator = await createEmulator({
 *   fixtures: { tables: { users: [{ id: 1, name: "Ada" }] } },
 * });
 * const response = await emulator.fetch("/rest/users", {
 *   headers: { authorization: "Bearer local-token" },
 * });
 */
export async function createEmulator<
  const Fixtures = unknown,
  const Collections extends CollectionTables = never,
>(options: EmulatorOptions<Fixtures, Collections> = {}): Promise<Emulator<Fixtures, Collections>> {
  const { fixtures, observer = {}, tables, ...settings } = options;
  const otherTables = Object.keys(tables ?? {});
  const [set, collections] = await Promise.all([
    fixtureSetFrom(fixtures, settings, { extras, otherTables }),
    collectionsFrom(tables),
  ]);
  return emulatorFrom<Fixtures, Collections>(set, settings, { extras, observer, collections });
}

/** Loads what serves collections only where there are any. */
async function collectionsFrom(tables: unknown): Promise<ServedCollections> {
  if (tables === undefined) return new Map();
  const readCollections = await extras.collections();
  return readCollections(tables);
}
