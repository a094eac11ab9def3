import { importState } from "../../../core/emulator/control/import-state.ts";
import { profilesOf } from "../../../core/emulator/control/export-state.ts";
import type { Core } from "../../../core/emulator/core.ts";
import type { BaseState } from "./messages.ts";
import type { Peer } from "./peer.ts";

/** The version of a base session that is as the fixtures are. */
export const pristineVersion = "pristine";

/**
 * The base session in a worker that is not its home: a copy, for the sessions that begin from it here. It is brought up
 * to date before each of them begins.
 */
export class BaseReplica {
  readonly #core: Core;
  readonly #home: Peer;
  #version = pristineVersion;
  #last: Promise<void> = Promise.resolve();

  constructor(core: Core, home: Peer) {
    this.#core = core;
    this.#home = home;
  }

  /** Resolves once it is as the base session was when this was called, or is now. */
  sync(): Promise<void> {
    // One after the other. Whoever comes later may have seen a change that those before have not.
    this.#last = this.#last.catch(() => undefined).then(() => this.#pull());
    return this.#last;
  }

  async #pull(): Promise<void> {
    const told = await this.#home.send({ kind: "tell base", known: this.#version });
    // The home is gone, and with it what was changed there: what is known here is no worse than the fixtures.
    if (told === undefined) return;
    const { version, document } = told as BaseState;
    if (document !== undefined) {
      const { sessions, settings } = this.#core;
      const { storage } = settings.restProfile;
      await importState(sessions.base, JSON.parse(document), {
        storage,
        profiles: profilesOf(settings),
      });
    }
    this.#version = version;
  }
}
