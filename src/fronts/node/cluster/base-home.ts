import { exportState, profilesOf } from "../../../core/emulator/control/export-state.ts";
import type { Core } from "../../../core/emulator/core.ts";
import { pristineVersion } from "./base-replica.ts";
import type { BaseState, Spread } from "./messages.ts";
import type { Peer } from "./peer.ts";

/** What the home of the base session begins with. */
export interface HomeOptions {
  readonly core: Core;
  readonly others: readonly Peer[];
  /** Whether the fixtures let chat be answered anywhere. */
  readonly maySpread: boolean;
  /** How often the home has been started: what it says must win over what those before it said. */
  readonly generation: number;
}

const turnsOfGeneration = 1_000_000_000;

/** The base session in its home, the first worker: its version, and where its chat may be answered. */
export class BaseHome {
  readonly #options: HomeOptions;
  #changes = 0;
  #spread: Spread;

  constructor(options: HomeOptions) {
    this.#options = options;
    const turn = options.generation * turnsOfGeneration;
    this.#spread = { isOn: options.maySpread, turn };
  }

  get spread(): Spread {
    return this.#spread;
  }

  /** Something was asked that may have changed the base session. Called before the client learns of it. */
  changed(): void {
    this.#changes++;
  }

  /** The state, for a worker that knows a version of it. */
  state(known: string): BaseState {
    const { core, generation } = this.#options;
    const version = this.#changes === 0 ? pristineVersion : `${generation}:${this.#changes}`;
    if (version === known) return { version, document: undefined };
    const state = exportState(core.sessions.base, profilesOf(core.settings));
    return { version, document: JSON.stringify(state) };
  }

  /** From now on chat is answered here alone. Resolves when all know. */
  async gather(): Promise<void> {
    if (this.#spread.isOn) await this.#tell(false);
  }

  /** Chat may be answered anywhere again, since the base session is as the fixtures are. */
  async scatter(): Promise<void> {
    if (this.#options.maySpread && !this.#spread.isOn) await this.#tell(true);
  }

  /** Has all others learn what holds now. */
  async announce(): Promise<void> {
    await this.#tell(this.#spread.isOn);
  }

  async #tell(isOn: boolean): Promise<void> {
    const spread = { isOn, turn: this.#spread.turn + 1 };
    this.#spread = spread;
    const { others } = this.#options;
    await Promise.all(others.map((peer) => peer.send({ kind: "spread", spread })));
  }
}
