import type { Model } from "../chat/model.ts";
import { createTemplates, type Templates } from "../template/templates.ts";
import { Journal, type JournalLimits } from "./journal/journal.ts";
import type { Snapshot, State } from "./state.ts";

/** What a session needs of the emulator that it belongs to. */
export interface SessionSurroundings {
  /** The time, in milliseconds of Unix time. */
  readonly now: () => number;
  readonly journalLimits: JournalLimits;
}

/** What requests see: what they can change, and the model list. */
export interface World {
  readonly state: State;
  readonly models: readonly Model[];
}

/**
 * A world of its own: everything that requests can change, and what was asked in it. Making one costs the same
 * whatever the tables hold.
 */
export class Session {
  /** Undefined for the base session, which requests without a name belong to. */
  readonly id: string | undefined;
  readonly journal: Journal;
  /** Unix time in milliseconds. */
  lastUsedAt: number;
  readonly #now: () => number;
  /** That of the fixtures, which a reset goes back to. */
  readonly #own: World;
  #world: World;
  #templates: Templates | undefined;

  constructor(id: string | undefined, world: World, { now, journalLimits }: SessionSurroundings) {
    this.id = id;
    this.#own = world;
    this.#world = world;
    this.journal = new Journal(journalLimits);
    this.lastUsedAt = now();
    this.#now = now;
  }

  get state(): State {
    return this.#world.state;
  }

  get models(): readonly Model[] {
    return this.#world.models;
  }

  /** Goes back to the fixtures, as which `pristine` has them, with an empty journal. */
  reset(pristine: Snapshot): void {
    this.resetState(pristine);
    this.journal.clear();
  }

  /** Goes back to the fixtures, and keeps the journal. */
  resetState(pristine: Snapshot): void {
    this.become(this.#own.state, this.#own.models);
    this.state.restore(pristine);
  }

  /** Whether the state is not that of the fixtures any more, but one that was imported. */
  get isImported(): boolean {
    return this.#world !== this.#own;
  }

  /** Puts another state in place of its own, until the next reset. */
  become(state: State, models: readonly Model[]): void {
    const isOwn = state === this.#own.state;
    this.#world = isOwn ? this.#own : { state, models };
    this.#templates = undefined;
  }

  /** A session that begins as this one is. */
  fork(id: string, surroundings: SessionSurroundings): Session {
    const { state, models } = this.#own;
    const session = new Session(id, { state: state.fork(), models }, surroundings);
    if (this.isImported) session.become(this.state.fork(), this.models);
    return session;
  }

  /** Templates that draw from the session's own random numbers. */
  get templates(): Templates {
    this.#templates ??= createTemplates({ random: this.state.random, now: this.#now });
    return this.#templates;
  }
}
