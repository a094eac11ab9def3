import { onTestFinished } from "vitest";
import {
  type Emulator,
  emulatorFrom,
  fixtureSetFrom,
} from "../../../src/core/emulator/emulator.ts";
import { nodeExtras } from "../../../src/fronts/node/extras.ts";
import type { EmulatorSettings } from "../../../src/core/settings/settings.ts";
import { postgresTables } from "../../../src/extras/postgres/index.ts";
import type { TablesEvents } from "../../../src/extras/postgres/failures.ts";

/** What an emulator with tables in PostgreSQL is made of. */
export interface SharedSetup {
  readonly fixtures: unknown;
  readonly settings?: EmulatorSettings;
  readonly events?: TablesEvents;
}

/** An emulator whose tables are in a schema, until the test is over. */
export async function sharedEmulator(
  url: string,
  { fixtures, settings = {}, events = {} }: SharedSetup,
): Promise<Emulator> {
  const tables = await postgresTables(url, events);
  onTestFinished(() => tables.close());
  const set = await fixtureSetFrom(fixtures, settings, { extras: nodeExtras });
  const emulator = await emulatorFrom(set, settings, {
    sharedTables: tables,
    extras: nodeExtras,
  });
  const { core } = emulator;
  await tables.begin(core.state.database, core.settings.tablesProfile.name);
  return emulator;
}

/** Two on the same schema. */
export async function twoEmulators(
  url: string,
  setup: SharedSetup,
): Promise<readonly [Emulator, Emulator]> {
  return [await sharedEmulator(url, setup), await sharedEmulator(url, setup)];
}
