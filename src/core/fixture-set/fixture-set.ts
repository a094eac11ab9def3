import type { NamedCassette, RecordingRules } from "../recordings/cassette.ts";
import type { GivenEmbedding } from "../chat/given-embedding.ts";
import type { Model } from "../chat/models.ts";
import type { Script } from "../chat/scripts/script.ts";
import type { Problem } from "../errors/emulator-error.ts";
import type { Database, TableContents } from "../store/database.ts";
import type { StateInput } from "./format/state-format.ts";
import type { FixtureSettings } from "../settings/settings.ts";
import type { StorageRules } from "../store/storage-rules.ts";

/** A table with its initial rows: defaults are filled in, generated rows included. */
export type FixtureTable = TableContents;

/** The parts of a fixture set's state besides models, tables, scripts and cassettes. */
export interface FixtureState extends Omit<
  StateInput,
  "clock" | "keys" | "cells" | "asStored" | "rowIds"
> {
  /** A fixed time for the clock, in Unix time in milliseconds. Undefined: the emulator's clock. */
  readonly clock?: number;
}

/** Fixtures, read, validated and complete: everything an emulator starts from. Immutable. */
export interface FixtureSet {
  /** Distinguishes a fixture set from a document that has not been read yet. */
  readonly kind: "fixture-set";
  readonly settings: FixtureSettings;
  readonly models: readonly Model[];
  /** The vectors that fixtures give for some texts. */
  readonly embeddings: readonly GivenEmbedding[];
  readonly tables: readonly FixtureTable[];
  /** The storage rules under which the tables were loaded. */
  readonly storage: StorageRules;
  /** The loaded tables. An emulator works on a fork of them. */
  readonly database: Database;
  readonly scripts: readonly Script[];
  readonly cassettes: readonly NamedCassette[];
  /** The rules for recording and replay. */
  readonly recording: RecordingRules;
  readonly state: FixtureState;
  /**
   * Warnings: what was left out of SQL dumps because it is not supported, what is odd about them, and, if asked for,
   * scripts that can never answer and regular expressions that can take very long.
   */
  readonly warnings: readonly Problem[];
  /** Reads the set again under other storage rules. Undefined: its tables can be loaded again as they are. */
  readonly under?: (storage: StorageRules) => Promise<FixtureSet>;
  /**
   * Rejects when templates name tables that belong neither to the set nor to `others`.
   * Undefined: already checked.
   */
  readonly checkTables?: (others: readonly string[]) => Promise<void>;
}
