import type { NamedCassette, RecordingRules } from "../replay/cassette.ts";
import type { Model } from "../chat/models.ts";
import type { Script } from "../chat/scripts/script.ts";
import type { Problem } from "../errors/emulator-error.ts";
import type { Database, TableContents } from "../store/database.ts";
import type { StateInput } from "./format/state-format.ts";
import type { FixtureSettings } from "./settings.ts";
import type { StorageRules } from "../store/storage-rules.ts";

/** A table with the rows that it starts with. Defaults are filled in, generated rows included. */
export type FixtureTable = TableContents;

/** What a set begins with besides models, tables, scripts and cassettes. */
export interface FixtureState {
  /** Where the clock stands, in Unix time in milliseconds. Undefined: it is that of the emulator. */
  readonly clock?: number;
  /** What the sequence of random numbers begins from, where `random` does not tell. */
  readonly seed?: number;
  /** Where the sequence of random numbers stands. */
  readonly random?: readonly number[];
  /** How many requests each script has answered. */
  readonly matches?: Readonly<Record<string, number>>;
  /** How often each recording was replayed, by cassette. */
  readonly played?: StateInput["played"];
  /** What goes wrong with the requests to come. */
  readonly faults?: StateInput["faults"];
  /** Where the limits stand. */
  readonly limits?: StateInput["limits"];
}

/** Fixtures, read, validated and complete: all that an emulator starts from. Never changed. */
export interface FixtureSet {
  /** Tells a set that was read from a document that was not. */
  readonly kind: "fixture-set";
  readonly settings: FixtureSettings;
  readonly models: readonly Model[];
  readonly tables: readonly FixtureTable[];
  /** What the tables were loaded under. */
  readonly storage: StorageRules;
  /** The tables loaded. An emulator works on a fork of it. */
  readonly database: Database;
  readonly scripts: readonly Script[];
  readonly cassettes: readonly NamedCassette[];
  /** What cassettes are recorded and replayed by. */
  readonly recording: RecordingRules;
  readonly state: FixtureState;
  /**
   * What was left out of SQL dumps because it is not supported, what is odd about them, and, where that was asked
   * for, scripts that can never answer.
   */
  readonly warnings: readonly Problem[];
  /**
   * Rejects when templates name tables that are neither the set's nor these others, such as collections. Undefined:
   * that was looked at.
   */
  readonly checkTables?: (others: readonly string[]) => Promise<void>;
}
