import { fileURLToPath } from "node:url";
import { Core } from "../../core/emulator/core.ts";
import { exportState } from "../../core/emulator/state/export-state.ts";
import { storageFor } from "../../core/emulator/settings.ts";
import type { EmulatorSettings } from "../../core/fixture-set/settings.ts";
import type { FixtureSet } from "../../core/fixture-set/fixture-set.ts";
import { Findings } from "../../core/schema/findings.ts";
import { fixturesOf } from "../../core/fixture-set/read-document.ts";
import { assembleFiles, finishReading } from "../../core/fixture-set/read-fixtures.ts";
import { nodeExtras, readTableFiles } from "../node/extras.ts";
import { fixturePlace } from "../node/fixture-place.ts";
import { readFixtureTexts } from "../node/fixture-texts.ts";
import { EmulatorError } from "../../core/errors/emulator-error.ts";
import type { BacklotMode, PluginOptions } from "./options.ts";

/** A fixture document: JSON, complete and checked. */
export type FixtureDocument = Readonly<Record<string, unknown>>;

/** Fixtures as they were on the disk. */
export interface LoadedFixtures {
  readonly set: FixtureSet;
  /** The files that they were read from, as messages name them. */
  readonly files: readonly string[];
  /** The document as it was written, its files put together. */
  readonly written: FixtureDocument;
}

/** Where a plugin's fixtures come from, and how they are read. */
export class FixtureSource {
  readonly path: string;
  /** How messages name it. */
  readonly label: string;
  readonly root: string;
  readonly #mode: BacklotMode;
  readonly #skipUnsupported: boolean;
  readonly #settings: EmulatorSettings;

  constructor(options: PluginOptions, root: string) {
    const { fixtures, mode, skipUnsupported, settings } = options;
    const named = fixtures instanceof URL ? fileURLToPath(fixtures) : fixtures;
    const { path, label } = fixturePlace(named, root);
    this.path = path;
    this.label = label;
    this.root = root;
    this.#mode = mode;
    this.#skipUnsupported = skipUnsupported;
    this.#settings = settings;
  }

  /** Reads what is on the disk now. Rejects with an `EmulatorError`. */
  async load(): Promise<LoadedFixtures> {
    const { layout, files } = readFixtureTexts(this.path, this.root);
    const assembled = await assembleFiles(files, layout);
    const { seed } = this.#settings;
    const set = await finishReading(assembled, {
      skipUnsupported: this.#skipUnsupported,
      readTableFiles,
      storageFor: storageFor(this.#settings, nodeExtras),
      otherTables: [],
      ...(seed === undefined ? {} : { seed }),
    });
    const written = (await fixturesOf(assembled, new Findings())) ?? {};
    return { set, written, files: files.map(({ path }) => path) };
  }

  /** An emulator of fixtures. Throws `ERR_OPTION_INVALID` when the settings do not fit. */
  core({ set }: LoadedFixtures): Core {
    return new Core(set, this.#settings, { extras: nodeExtras });
  }

  /**
   * Fixtures as one document that says everything in JSON: rows that were generated and tables of SQL dumps are in it as
   * any others. Throws `ERR_FIXTURES_INVALID` for a table that only SQL can say, and `ERR_OPTION_INVALID` for what our own
   * worker has not.
   */
  document(loaded: LoadedFixtures): FixtureDocument {
    const core = this.core(loaded);
    if (this.#mode === "worker") refuseTokenizer(core);
    const exported: FixtureDocument = { ...exportState(core.sessions.base) };
    const { $schema: _, state, ...others } = loaded.written;
    return {
      ...others,
      ...exported,
      // Where counters and chance stand is a matter of each emulator, unless the fixtures say so.
      state: { ...partsThatTablesNeed(exported["state"]), ...recordOf(state) },
    };
  }
}

/** The only one that is part of our own worker's script. */
const workersTokenizer = "estimate";

/** The worker would refuse it too, but only once a page starts it. */
function refuseTokenizer({ settings: { tokenizer } }: Core): void {
  if (tokenizer === workersTokenizer) return;
  throw new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot use the fixtures in mode worker: they ask for the tokenizer "${tokenizer}", which is megabytes large and no ` +
      `part of the worker's script. Use "${workersTokenizer}", or another mode.`,
  );
}

const neededParts: readonly string[] = ["keys", "asStored", "cells"];

function partsThatTablesNeed(state: unknown): FixtureDocument {
  const entries = Object.entries(recordOf(state));
  return Object.fromEntries(entries.filter(([name]) => neededParts.includes(name)));
}

function recordOf(value: unknown): FixtureDocument {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
