import { Core } from "../../../../core/emulator/core.ts";
import { fixtureSetFrom } from "../../../../core/emulator/emulator.ts";
import type { Observer } from "../../../../core/emulator/observer.ts";
import { pathBelowControl, readSessionAddress } from "../../../../core/emulator/routes.ts";
import { Keeper, type KeptKey } from "./keeper.ts";
import type { EmulatorSettings } from "../../../../core/settings/settings.ts";
import { invalidOption } from "../../../../core/errors/emulator-error.ts";
import { workerExtras } from "../../extras.ts";
import type { KeptStore } from "./kept-store.ts";
import type { EmulatorSetup } from "./messages.ts";

/** An emulator's setup, as saved. */
export interface KeptSetup {
  /** The version of the script that saved it. */
  readonly version: string;
  /** The JSON text of an {@link EmulatorSetup}. */
  readonly text: string;
  /** The seed if the options set none. It stays the same when the worker starts again. */
  readonly seed: number;
}

export interface RunningOptions {
  readonly store: KeptStore;
  /** Observes finished exchanges, and failures that are bugs in the emulator. */
  readonly observer: Observer;
  /** Default: `fixtureSetFrom`. */
  readonly readFixtures?: typeof fixtureSetFrom;
}

/** The only tokenizer that the script contains. */
const ownTokenizer = "estimate";

/** An emulator in a worker, and the code that saves its state. */
export class RunningEmulator {
  readonly core: Core;
  /** The text of its setup. */
  readonly text: string;
  readonly #store: KeptStore;
  readonly #keeper: Keeper;
  /** The current or the last write. */
  #underway: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #isRetired = false;

  private constructor(core: Core, text: string, store: KeptStore) {
    this.core = core;
    this.text = text;
    this.#store = store;
    this.#keeper = new Keeper(core);
  }

  /** Creates an emulator from a setup. Rejects with an `EmulatorError` for wrong fixtures or settings. */
  static async of(
    { text, seed }: KeptSetup,
    { store, observer, readFixtures = fixtureSetFrom }: RunningOptions,
  ): Promise<RunningEmulator> {
    const { fixtures, settings }: EmulatorSetup = JSON.parse(text);
    // The core checks each setting.
    const given = settings as EmulatorSettings;
    const set = await readFixtures(fixtures, given, { extras: workerExtras });
    const hasSeed = set.settings.seed ?? set.state.seed ?? set.state.random;
    // This seed only starts the random numbers. As a setting it would also change the vectors of texts.
    const own = hasSeed === undefined ? { ...set, state: { ...set.state, seed } } : set;
    const core = new Core(own, given, { extras: workerExtras, observer });
    refuseTokenizer(core);
    return new RunningEmulator(core, text, store);
  }

  /** Restores saved entries. */
  restore(entries: readonly (readonly [KeptKey, unknown])[]): Promise<void> {
    return this.#keeper.restore(entries);
  }

  /** Notes that a request may have changed something. */
  noteRequest({ method }: Request, path: string, session: string | undefined): void {
    const { settings, state } = this.core;
    const isControl = isControlPath(path);
    const isReading = method === "GET" || method === "HEAD" || method === "OPTIONS";
    if (isControl && !isReading) this.#keeper.touchAll();
    const drawsNumbers = settings.latency[1] > 0 || !state.faults.isEmpty;
    const { changesByReading } = this.core.route(path).interface;
    const isIdle = isReading && (isControl || !changesByReading) && !drawsNumbers;
    if (!isIdle || !this.#keeper.knows(session)) this.#keeper.touch(session);
  }

  /** Drops a session. */
  forget(session: string): void {
    this.core.sessions.delete(session);
    this.#keeper.touch(session);
  }

  /** Stops saving, since another emulator replaces this one. Resolves when the current write is done. */
  retire(): Promise<void> {
    this.core.sessions.retire();
    this.#isRetired = true;
    return this.#underway;
  }

  /**
   * Saves changes soon after an answer, together with all that have accumulated by then. Resolves when they are
   * saved; never rejects.
   */
  save(): Promise<void> {
    if (this.#next === undefined && !this.#keeper.isTouched) return this.#underway;
    this.#next ??= this.#underway.then(turn).then(() => {
      this.#next = undefined;
      this.#underway = this.#write();
      return this.#underway;
    });
    return this.#next;
  }

  async #write(): Promise<void> {
    if (this.#isRetired) return;
    try {
      await this.#store.write(await this.#keeper.changes());
    } catch (error) {
      this.core.report(error);
    }
  }
}

/** Waits for a turn of the event loop, so that the answer goes first. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** Whether a path belongs to the console or the control API, in any session. */
export function isControlPath(path: string): boolean {
  return pathBelowControl(readSessionAddress({ path, headers: {} }).path) !== undefined;
}

function refuseTokenizer({ settings: { tokenizer } }: Core): void {
  if (tokenizer === ownTokenizer) return;
  throw invalidOption(
    `Cannot start the worker: the fixtures ask for the tokenizer "${tokenizer}", which takes megabytes and is not part of ` +
      `its script. Use "${ownTokenizer}", or startWorker of backlot/browser.`,
  );
}
