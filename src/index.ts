import { requireTokenizer } from "./core/chat/tokens/require-tokenizer.ts";
import {
  type Emulator,
  emulatorFrom,
  type EmulatorOptions,
  fixtureSetFrom,
} from "./core/emulator/emulator.ts";
import { loadOnce } from "./core/http/load-once.ts";
import type { Extras } from "./core/emulator/extras.ts";
import type { GuestTables } from "./core/emulator/sockets/guest-tables.ts";
import type { CollectionTables, TablesOf } from "./extras/collections/typed-collections.ts";
import { responsesEndpoints } from "./extras/responses/endpoints.ts";
import { refuseOlderNode } from "./fronts/needs/refuse-older.ts";
import { embeddingsEndpoints } from "./extras/embeddings/endpoints.ts";
import { storedCompletionsEndpoints } from "./extras/stored-completions/endpoints.ts";
import { starbasedbProfile } from "./extras/starbasedb/profile.ts";

export type { ChatScripts } from "./core/emulator/chats.ts";
export type {
  CollectionColumn,
  CollectionHandle,
  CollectionTables,
  DeclaredCollection,
  TablesOf,
} from "./extras/collections/typed-collections.ts";
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
export type { ExchangeRecord, Observer } from "./core/emulator/observer.ts";
export type { PlannedFaults } from "./core/emulator/faults/planned-faults.ts";
export type { EmulatorSettings } from "./core/settings/settings.ts";
export type { SessionOptions } from "./core/emulator/session-options.ts";
export type { Snapshot } from "./core/emulator/state.ts";
export type { Key, TableHandle } from "./core/emulator/tables.ts";
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

/** The library's extras. */
const extras = {
  tableProfiles: [starbasedbProfile],
  chatEndpoints: [...responsesEndpoints, ...storedCompletionsEndpoints, ...embeddingsEndpoints],
  guestTables: async () =>
    (await import("./extras/collections/read-collections.ts")).readCollections,
  replay: loadOnce(
    async () =>
      (await import("./extras/recordings/replay/answer-with-recordings.ts")).answerWithRecordings,
  ),
  control: async () => (await import("./core/control/answer-control.ts")).answerControl,
  console: () => import("./extras/console/page.ts"),
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
  const Given extends CollectionTables = never,
>(options: EmulatorOptions<Fixtures, Given> = {}): Promise<Emulator<TablesOf<Fixtures, Given>>> {
  const { fixtures, observer = {}, tables, ...settings } = options;
  const otherTables = Object.keys(tables ?? {});
  const [set, guestTables] = await Promise.all([
    fixtureSetFrom(fixtures, settings, { extras, otherTables }),
    guestTablesFrom(tables),
  ]);
  await requireTokenizer(set.settings.tokenizer);
  return emulatorFrom<TablesOf<Fixtures, Given>>(set, settings, { extras, observer, guestTables });
}

/** Makes guest tables of the option `tables`. The code for them is only loaded if the option is given. */
async function guestTablesFrom(tables: unknown): Promise<GuestTables> {
  if (tables === undefined) return new Map();
  const readGuestTables = await extras.guestTables();
  return readGuestTables(tables);
}
