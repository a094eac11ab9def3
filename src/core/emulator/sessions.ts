import { EmulatorError } from "../errors/emulator-error.ts";
import { noSessions } from "./shared/shared-tables.ts";
import type { Session, SessionSurroundings } from "./session.ts";
import type { SessionStart } from "./session-options.ts";

/** How the sessions of an emulator are kept. */
export interface SessionsOptions extends SessionSurroundings {
  /** When there are more, those go that were not used for the longest time. */
  readonly maxSessions: number;
}

/** The sessions of one emulator, by id. */
export class Sessions {
  readonly base: Session;
  readonly #options: SessionsOptions;
  /** In the order of their last use. */
  readonly #named: Map<string, Session> = new Map();

  constructor(base: Session, options: SessionsOptions) {
    this.base = base;
    this.#options = options;
  }

  /** A session; one that is not there yet begins as the base session is now. Without an id: the base session. */
  get(id: string | undefined): Session {
    if (id === undefined) return this.base;
    return this.#use(id, this.#named.get(id) ?? this.base.fork(id, this.#options));
  }

  /** Begins a session, in place of one that has the id. Throws, and changes nothing, for a snapshot of another emulator. */
  begin(id: string, { from, clock, seed }: SessionStart): Session {
    if (this.#options.isAlone) {
      throw new EmulatorError("ERR_OPTION_INVALID", `Cannot begin a session. ${noSessions}`);
    }
    const before = this.#named.get(id);
    const session = this.base.fork(id, this.#options);
    if (from !== undefined) session.restore(from);
    if (clock !== undefined) session.state.clock.standsAt = clock;
    if (seed !== undefined) session.state.reseed(seed);
    before?.journal.retire();
    return this.#use(id, session);
  }

  /** Whether there is a session of that id. It counts as no use. */
  has(id: string): boolean {
    return this.#named.has(id);
  }

  #use(id: string, session: Session): Session {
    this.#named.delete(id);
    this.#named.set(id, session);
    session.lastUsedAt = this.#options.now();
    if (this.#named.size > this.#options.maxSessions) this.#dropOldest();
    return session;
  }

  /** All but the base session, those that were not used for the longest time first. */
  list(): readonly Session[] {
    return [...this.#named.values()];
  }

  /** Forgets a session. False when there is none of that id. */
  delete(id: string): boolean {
    const session = this.#named.get(id);
    this.#named.delete(id);
    session?.journal.retire();
    return session !== undefined;
  }

  /** Others come in place of these. */
  retire(): void {
    for (const { journal } of [this.base, ...this.#named.values()]) journal.retire();
  }

  #dropOldest(): void {
    const [oldest] = this.#named.keys();
    if (oldest !== undefined) this.delete(oldest);
  }
}
