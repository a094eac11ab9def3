/** The clock of a session: that of the emulator, or one that stands. */
export class SessionClock {
  readonly #emulator: () => number;
  /** Where it stands, in Unix time in milliseconds. Undefined: it is that of the emulator. */
  standsAt: number | undefined;

  constructor(emulator: () => number, standsAt: number | undefined) {
    this.#emulator = emulator;
    this.standsAt = standsAt;
  }

  /** Unix time in milliseconds. */
  readonly now = (): number => this.standsAt ?? this.#emulator();

  /** A clock of its own that stands where this one does. */
  fork(): SessionClock {
    return new SessionClock(this.#emulator, this.standsAt);
  }
}
