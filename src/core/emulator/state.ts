import { RateLimiter, type RateLimiterSnapshot, type RateLimits } from "../chat/rate-limiter.ts";
import { MatchCounts, ScriptBook, type ScriptBookSnapshot } from "../chat/scripts/script-book.ts";
import type { GivenEmbedding } from "../chat/given-embedding.ts";
import type { Model } from "../chat/models.ts";
import { StoredAnswers, type StoredAnswersSnapshot } from "../chat/stored-answers.ts";
import type { CassetteSet } from "../recordings/cassette.ts";
import { PlayCounts } from "../recordings/play-counts.ts";
import type { FixtureSet, FixtureState } from "../fixture-set/fixture-set.ts";
import { checkFoldedNames } from "../fixture-set/tables/folded-names.ts";
import { inStoredForm } from "../fixture-set/tables/stored-form.ts";
import { Database, type DatabaseSnapshot } from "../store/database.ts";
import type { RowBudget } from "../store/row-budget.ts";
import type { StorageRules } from "../store/storage-rules.ts";
import {
  createId,
  SessionClock,
  type RandomSource,
  randomFromSeed,
  randomFromState,
  randomFromText,
} from "./environment.ts";
import type { GuestTables } from "./sockets/guest-tables.ts";
import type { AddedBudget } from "./added-budget.ts";
import { FaultBook, type FaultBookSnapshot } from "./faults/fault-book.ts";

/** Everything that requests can change, at one moment. */
export interface Snapshot {
  readonly tables: DatabaseSnapshot;
  readonly guestTables: ReadonlyMap<string, unknown>;
  readonly chats: ScriptBookSnapshot;
  readonly answers: StoredAnswersSnapshot;
  readonly random: readonly number[];
  readonly seed: number;
  readonly limiter: RateLimiterSnapshot;
  readonly faults: FaultBookSnapshot;
  readonly plays: PlayCounts;
  /** The time of the session's stopped clock. Undefined: the emulator's clock. */
  readonly clock: number | undefined;
  /** Present if the state was imported: it may have other tables and models. */
  readonly imported?: World;
}

/** What requests see: the state that they can change, the model list, the vectors of texts and the recordings. */
export interface World {
  readonly state: State;
  readonly models: readonly Model[];
  readonly embeddings: readonly GivenEmbedding[];
  /** The recordings. Undefined: there are none. */
  readonly cassettes: CassetteSet | undefined;
}

/** What a state consists of besides fixtures. */
export interface StateOptions {
  readonly guestTables: GuestTables;
  /** The storage rules. */
  readonly storage: StorageRules;
  /** The rate limits of chat. */
  readonly limits: RateLimits;
  /** Counts the rows. */
  readonly budget: RowBudget;
  /** Counts what is added besides rows. */
  readonly added: AddedBudget;
  /** The time, in Unix time in milliseconds. */
  readonly now: () => number;
}

/** Gives access to a state, which may be replaced by another one between two accesses. */
export interface StateOwner {
  readonly state: State;
}

interface Parts extends Pick<
  State,
  "database" | "scripts" | "limiter" | "clock" | "budget" | "added" | "plays" | "seed"
> {
  /** Default: none. */
  readonly answers?: StoredAnswers;
  /** Default: none. */
  readonly faults?: FaultBook;
  readonly guestTables: GuestTables;
  readonly random: RandomSource;
}

/** Everything that requests can change. */
export class State {
  readonly database: Database;
  readonly scripts: ScriptBook;
  /** The answers that requests asked to store. Fixtures have none. */
  readonly answers: StoredAnswers;
  readonly limiter: RateLimiter;
  readonly faults: FaultBook;
  readonly clock: SessionClock;
  /** Counts the rows of all states of one emulator and one set of fixtures. */
  readonly budget: RowBudget;
  /** Counts what these states have besides the fixtures and rows. */
  readonly added: AddedBudget;
  #plays: PlayCounts;
  readonly #guestTables: GuestTables;
  #random: RandomSource;
  #seed: number;

  constructor(parts: Parts) {
    this.database = parts.database;
    this.scripts = parts.scripts;
    this.answers = parts.answers ?? new StoredAnswers(undefined, parts.added);
    this.limiter = parts.limiter;
    this.faults = parts.faults ?? FaultBook.empty();
    this.clock = parts.clock;
    this.budget = parts.budget;
    this.added = parts.added;
    this.#plays = parts.plays;
    this.#guestTables = parts.guestTables;
    this.#random = parts.random;
    this.#seed = parts.seed;
  }

  /** The initial state of fixtures. */
  static of(fixtures: FixtureSet, seed: number, options: StateOptions): State {
    const { storage, limits, budget, added } = options;
    const { state } = fixtures;
    const served = [...options.guestTables].map(
      ([name, table]) => [name, table.under(storage)] as const,
    );
    const guestTables = new Map(served);
    const clock = new SessionClock(options.now, state.clock);
    const { now } = clock;
    const limiter = RateLimiter.full(limits, now());
    limiter.restoreLevels({ ...state.limits });
    return new State({
      database: databaseOf(fixtures, { storage, now, budget }).withTables(guestTables),
      scripts: scriptsOf(fixtures),
      limiter,
      faults: FaultBook.of(state.faults ?? []),
      plays: playsOf(fixtures),
      guestTables,
      random: randomOf(state) ?? randomFromSeed(seed),
      seed: state.seed ?? seed,
      clock,
      budget,
      added,
    });
  }

  /**
   * An independent copy of the state. Both share the program's own tables, which a snapshot or restore of the copy does
   * not touch.
   */
  fork(): State {
    const clock = this.clock.fork();
    return new State({
      database: this.database.fork({ now: clock.now }),
      scripts: this.scripts.fork(),
      answers: this.answers.fork(),
      limiter: this.limiter.fork(),
      faults: this.faults.fork(),
      plays: this.#plays.fork(),
      guestTables: new Map(),
      random: randomFromState(this.#random.state()),
      seed: this.#seed,
      clock,
      budget: this.budget,
      added: this.added,
    });
  }

  /** The next random number, from 0 up to but not including 1. */
  readonly random = (): number => this.#random.next();

  /** Random numbers that depend only on the seed and a text, and not on earlier random numbers. */
  readonly randomFor = (text: string): (() => number) => randomFromText(this.#seed, text).next;

  /** The next id with a prefix, such as `chatcmpl-`. */
  readonly createId = (prefix: string): string => createId(prefix, this.random);

  /** How often each recording was replayed. */
  get plays(): PlayCounts {
    return this.#plays;
  }

  /** The seed with which the random numbers began. */
  get seed(): number {
    return this.#seed;
  }

  /** Restarts the random numbers. */
  reseed(seed: number): void {
    this.#seed = seed;
    this.#random = randomFromSeed(seed);
  }

  snapshot(): Snapshot {
    return {
      tables: this.database.snapshot(),
      guestTables: new Map([...this.#guestTables].map(([name, table]) => [name, table.snapshot()])),
      chats: this.scripts.snapshot(),
      answers: this.answers.snapshot(),
      random: this.#random.state(),
      seed: this.#seed,
      limiter: this.limiter.snapshot(),
      clock: this.clock.standsAt,
      faults: this.faults.snapshot(),
      plays: this.#plays.fork(),
    };
  }

  restore(snapshot: Snapshot): void {
    this.database.restore(snapshot.tables);
    for (const [name, table] of this.#guestTables) {
      const records = snapshot.guestTables.get(name);
      if (records !== undefined) table.restore(records);
    }
    this.scripts.restore(snapshot.chats);
    this.answers.restore(snapshot.answers);
    this.#random = randomFromState(snapshot.random);
    this.#seed = snapshot.seed;
    this.limiter.restore(snapshot.limiter);
    this.clock.standsAt = snapshot.clock;
    this.faults.restore(snapshot.faults);
    this.#plays = snapshot.plays.fork();
  }
}

/** The database of fixtures. Tables that were loaded under other storage rules are loaded again. */
export function databaseOf(
  { database, storage: loadedFor, tables }: FixtureSet,
  { storage, now, budget }: Pick<StateOptions, "storage" | "now" | "budget">,
): Database {
  if (storage === loadedFor) return database.fork({ now, budget });
  checkFoldedNames(tables, storage);
  return Database.load(inStoredForm(tables, storage), { storage, now }).fork({ budget });
}

/** The scripts of fixtures, with their initial counts. */
export function scriptsOf({ scripts, state: { matches = {} } }: FixtureSet): ScriptBook {
  const book = ScriptBook.of(scripts);
  const counts = new MatchCounts(Object.entries(matches));
  book.restore({ ...book.snapshot(), matches: counts });
  return book;
}

/** How often each recording was replayed, by the fixtures' state. */
export function playsOf({ state: { played = {} } }: Pick<FixtureSet, "state">): PlayCounts {
  return new PlayCounts(Object.entries(played));
}

/** The random numbers that the fixtures' state continues. Undefined: the state has none. */
export function randomOf({ random, seed }: FixtureState): RandomSource | undefined {
  if (random !== undefined) return randomFromState(random);
  return seed === undefined ? undefined : randomFromSeed(seed);
}
