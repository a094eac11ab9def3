import type { Session, SessionSurroundings } from "./session.ts";

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
    const session = this.#named.get(id) ?? this.base.fork(id, this.#options);
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
    return this.#named.delete(id);
  }

  #dropOldest(): void {
    const [oldest] = this.#named.keys();
    if (oldest !== undefined) this.#named.delete(oldest);
  }
}
