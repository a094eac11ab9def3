import { createTemplates, type Templates } from "../template/templates.ts";
import { Journal, type JournalLimits } from "./journal/journal.ts";
import type { State } from "./state.ts";

/** What a session needs of the emulator that it belongs to. */
export interface SessionSurroundings {
  /** The time, in milliseconds of Unix time. */
  readonly now: () => number;
  readonly journalLimits: JournalLimits;
}

/**
 * A world of its own: everything that requests can change, and what was asked in it. Making one costs the same
 * whatever the tables hold.
 */
export class Session {
  /** Undefined for the base session, which requests without a name belong to. */
  readonly id: string | undefined;
  readonly state: State;
  readonly journal: Journal;
  readonly #now: () => number;
  #templates: Templates | undefined;

  constructor(id: string | undefined, state: State, { now, journalLimits }: SessionSurroundings) {
    this.id = id;
    this.state = state;
    this.journal = new Journal(journalLimits);
    this.#now = now;
  }

  /** Templates that draw from the session's own random numbers. */
  get templates(): Templates {
    this.#templates ??= createTemplates({ random: this.state.random, now: this.#now });
    return this.#templates;
  }
}
