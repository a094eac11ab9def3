import {
  type Emulator as CoreEmulator,
  emulatorFrom,
  type EmulatorOptions,
  fixtureSetFrom,
} from "./core/emulator/emulator.ts";
import { EmulatorError } from "./core/errors/emulator-error.ts";
import type { CollectionTables } from "./core/emulator/collection-option.ts";
import type { Surroundings } from "./core/emulator/core.ts";
import type { MswHandlers } from "./fronts/msw/handlers.ts";

export type { ChatScripts } from "./core/emulator/chats.ts";
export type {
  CollectionColumn,
  CollectionTables,
  DeclaredCollection,
} from "./core/emulator/collection-option.ts";
export type {
  EmulatorOptions,
  EmulatorSession,
  KeptSnapshots,
  RequestJournal,
} from "./core/emulator/emulator.ts";
export type { JournalFilter } from "./core/emulator/journal/filter.ts";
export type {
  AnswerPlan,
  JournalEntry,
  ClosestRecording,
  MissedCriterion,
  MissedScript,
  PlanTest,
} from "./core/control/journal-entry.ts";
export type { ExchangeRecord, Observer } from "./core/emulator/exchange.ts";
export type { PlannedFaults } from "./core/emulator/faults/planned-faults.ts";
export type { EmulatorSettings } from "./core/emulator/options.ts";
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
export type {
  FaultDelay,
  FaultRule,
  PlannedFault,
} from "./core/fixture-set/format/fault-rule-format.ts";
export type { Script, ScriptReply, When } from "./core/chat/scripts/script.ts";
export type { JsonValue } from "./core/schema/json.ts";
export type { Row, RowValue } from "./core/emulator/plain-rows.ts";

/** One emulated service in this process. */
export interface Emulator<
  Fixtures = unknown,
  Collections extends CollectionTables = never,
> extends CoreEmulator<Fixtures, Collections> {
  /**
   * Handlers for `setupServer(...emulator.handlers)` and `setupWorker(...emulator.handlers)` of msw, 2 or 3.
   * Throws `ERR_PACKAGE_MISSING` when msw is not installed.
   */
  readonly handlers: MswHandlers;
}

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
  const [set, makeHandlers, collections] = await Promise.all([
    fixtureSetFrom(fixtures, settings, Object.keys(tables ?? {})),
    importHandlers(),
    collectionsFrom(tables),
  ]);
  const surroundings = { observer, collections };
  const emulator = await emulatorFrom<Fixtures, Collections>(set, settings, surroundings);
  return withHandlers(emulator, makeHandlers);
}

/** What serves collections is loaded where there are any. */
async function collectionsFrom(tables: unknown): Promise<NonNullable<Surroundings["collections"]>> {
  if (tables === undefined) return new Map();
  return (await import("./core/emulator/read-collections.ts")).readCollections(tables);
}

type MakeHandlers = (emulator: Pick<CoreEmulator, "core" | "fetch">) => MswHandlers;

/** Msw is optional. Whoever uses `handlers` has it loaded anyway; without it the import fails at once. */
async function importHandlers(): Promise<MakeHandlers> {
  try {
    const [{ mswHandlers }, { loadMsw }] = await Promise.all([
      import("./fronts/msw/handlers.ts"),
      import("./fronts/msw/load-msw.ts"),
    ]);
    const msw = await loadMsw();
    return (emulator) => mswHandlers(emulator, { msw });
  } catch (cause) {
    return () => {
      throw new EmulatorError(
        "ERR_PACKAGE_MISSING",
        "Cannot make msw handlers: the package msw could not be loaded. Install it: npm install --save-dev msw.",
        { cause },
      );
    };
  }
}

function withHandlers<Fixtures, Collections extends CollectionTables>(
  emulator: CoreEmulator<Fixtures, Collections>,
  makeHandlers: MakeHandlers,
): Emulator<Fixtures, Collections> {
  let handlers: MswHandlers | undefined;
  return {
    ...emulator,
    get handlers() {
      return (handlers ??= makeHandlers(emulator));
    },
  };
}
