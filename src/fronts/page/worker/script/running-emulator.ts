import { Core } from "../../../../core/emulator/core.ts";
import { fixtureSetFrom } from "../../../../core/emulator/emulator.ts";
import type { Observer } from "../../../../core/emulator/exchange.ts";
import { pathBelowControl, readSessionAddress } from "../../../../core/emulator/routes.ts";
import { Keeper, type KeptKey } from "../../../../core/emulator/kept-state.ts";
import type { EmulatorSettings } from "../../../../core/fixture-set/settings.ts";
import { EmulatorError } from "../../../../core/errors/emulator-error.ts";
import { workerExtras } from "../../extras.ts";
import type { KeptStore } from "./kept-store.ts";
import type { EmulatorSetup } from "./messages.ts";

/** A setup, and what tells it from others. */
export interface SetupText {
  readonly text: string;
  readonly hash: string;
  /** What random choices follow from where nothing else is said: the same when the worker is started again. */
  readonly seed: number;
}

/** What an emulator in a worker works with. */
export interface RunningOptions {
  readonly store: KeptStore;
  /** Told of each exchange once it is over, and of failures that are bugs of the emulator. */
  readonly observer: Observer;
  /** Default: as documents. */
  readonly readFixtures?: typeof fixtureSetFrom;
}

/** The only one that is part of the script. */
const ownTokenizer = "estimate";

/** An emulator in a worker, and what saves its state. */
export class RunningEmulator {
  readonly core: Core;
  /** Tells what it was made of. */
  readonly hash: string;
  readonly #store: KeptStore;
  readonly #keeper: Keeper;
  /** The writing that is underway, or was the last. */
  #underway: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #isRetired = false;

  private constructor(core: Core, hash: string, store: KeptStore) {
    this.core = core;
    this.hash = hash;
    this.#store = store;
    this.#keeper = new Keeper(core);
  }

  /** Makes one of a setup. Rejects with an `EmulatorError` where fixtures or settings are wrong. */
  static async of(
    { text, hash, seed }: SetupText,
    { store, observer, readFixtures = fixtureSetFrom }: RunningOptions,
  ): Promise<RunningEmulator> {
    const { fixtures, settings }: EmulatorSetup = JSON.parse(text);
    // The constructor looks at each of them.
    const given = settings as EmulatorSettings;
    const set = await readFixtures(fixtures, given, { extras: workerExtras });
    const hasSeed = set.settings.seed ?? set.state.seed ?? set.state.random;
    const own = hasSeed === undefined ? { seed, ...given } : given;
    const core = new Core(set, own, { extras: workerExtras, observer });
    refuseTokenizer(core);
    return new RunningEmulator(core, hash, store);
  }

  /** Brings back what was saved. */
  restore(entries: readonly (readonly [KeptKey, unknown])[]): Promise<void> {
    return this.#keeper.restore(entries);
  }

  /** Notes that a request may have changed something. */
  noteRequest({ method }: Request, path: string, session: string | undefined): void {
    const { settings, state } = this.core;
    const isControl = isControlPath(path);
    const isReading = method === "GET" || method === "HEAD" || method === "OPTIONS";
    if (isControl && !isReading) this.#keeper.touchAll();
    const isTable = this.core.route(path).interface === "rest";
    const drawsNumbers = settings.latency[1] > 0 || !state.faults.isEmpty;
    const isIdle = isReading && (isTable || isControl) && !drawsNumbers;
    if (!isIdle || !this.#keeper.knows(session)) this.#keeper.touch(session);
  }

  /** Forgets a session. */
  forget(session: string): void {
    this.core.sessions.delete(session);
    this.#keeper.touch(session);
  }

  /** Another one comes in its place: nothing of it is saved from now on. Resolves once what is being saved is. */
  retire(): Promise<void> {
    this.core.sessions.retire();
    this.#isRetired = true;
    return this.#underway;
  }

  /**
   * Saves what changed: soon after the answer, and once for all that changed until then. Resolves once that is done; it
   * never rejects.
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

/** Lets the answer go first. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** Whether a path is that of the console or of the control API, in whatever session. */
export function isControlPath(path: string): boolean {
  return pathBelowControl(readSessionAddress({ path, headers: {} }).path) !== undefined;
}

function refuseTokenizer({ settings: { tokenizer } }: Core): void {
  if (tokenizer === ownTokenizer) return;
  throw new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot start the worker: the fixtures ask for the tokenizer "${tokenizer}", which is megabytes large and no part of ` +
      `its script. Use "${ownTokenizer}", or startWorker of backlot/browser.`,
  );
}
