import {
  RateLimiter,
  type RateLimiterSnapshot,
  type RateLimits,
} from "../chat/limits/rate-limiter.ts";
import { ScriptBook, type ScriptBookSnapshot } from "../chat/scripts/script-book.ts";
import type { CollectionSnapshot } from "../collections/collection-snapshot.ts";
import type { CollectionTable } from "../collections/collection-table.ts";
import type { FixtureSet } from "../fixtures/fixture-set.ts";
import { Database, type DatabaseSnapshot } from "../store/database.ts";
import type { StorageRules } from "../store/storage-rules.ts";
import { type RandomSource, randomFromSeed, randomFromState } from "./environment.ts";

/** The user's own collections that are served as tables, by name. */
export type Collections = ReadonlyMap<string, CollectionTable>;

/** Everything that requests can change, as it was at one moment. */
export interface Snapshot {
  readonly tables: DatabaseSnapshot;
  readonly collections: ReadonlyMap<string, CollectionSnapshot>;
  readonly chats: ScriptBookSnapshot;
  readonly random: readonly number[];
  readonly limiter: RateLimiterSnapshot;
}

/** What a state is made with besides fixtures. */
export interface StateOptions {
  readonly collections: Collections;
  /** What the tables take and how they keep it. */
  readonly storage: StorageRules;
  /** How much chat answers in a minute. */
  readonly limits: RateLimits;
  /** The time, in milliseconds of Unix time. */
  readonly now: () => number;
}

/** Has a state, which may be another one each time it is asked for. */
export interface StateOwner {
  readonly state: State;
}

interface Parts {
  readonly database: Database;
  readonly scripts: ScriptBook;
  readonly limiter: RateLimiter;
  readonly collections: Collections;
  readonly random: RandomSource;
}

/** Everything that requests can change. */
export class State {
  readonly database: Database;
  readonly scripts: ScriptBook;
  readonly limiter: RateLimiter;
  readonly #collections: Collections;
  #random: RandomSource;

  constructor({ database, scripts, limiter, collections, random }: Parts) {
    this.database = database;
    this.scripts = scripts;
    this.limiter = limiter;
    this.#collections = collections;
    this.#random = random;
  }

  /** The state that fixtures begin with. */
  static of(fixtures: FixtureSet, seed: number, options: StateOptions): State {
    const { storage, limits, now } = options;
    const served = [...options.collections].map(
      ([name, table]) => [name, table.under(storage)] as const,
    );
    const collections = new Map(served);
    return new State({
      database: databaseOf(fixtures, { storage, now }).withTables(collections),
      scripts: ScriptBook.of(fixtures.scripts),
      limiter: RateLimiter.full(limits, now()),
      collections,
      random: randomFromSeed(seed),
    });
  }

  /**
   * A state of its own that stands where this one does. The user's collections are the same in both, and a snapshot
   * or a restore of this one leaves them alone.
   */
  fork(): State {
    return new State({
      database: this.database.fork(),
      scripts: this.scripts.fork(),
      limiter: this.limiter.fork(),
      collections: new Map(),
      random: randomFromState(this.#random.state()),
    });
  }

  /** The next random number, from 0 up to but not including 1. */
  readonly random = (): number => this.#random.next();

  snapshot(): Snapshot {
    return {
      tables: this.database.snapshot(),
      collections: new Map([...this.#collections].map(([name, table]) => [name, table.snapshot()])),
      chats: this.scripts.snapshot(),
      random: this.#random.state(),
      limiter: this.limiter.snapshot(),
    };
  }

  restore(snapshot: Snapshot): void {
    this.database.restore(snapshot.tables);
    for (const [name, table] of this.#collections) {
      const records = snapshot.collections.get(name);
      if (records !== undefined) table.restore(records);
    }
    this.scripts.restore(snapshot.chats);
    this.#random = randomFromState(snapshot.random);
    this.limiter.restore(snapshot.limiter);
  }
}

/** Fixtures that were read for other rules, since nobody knew of the profile then, are loaded once more. */
function databaseOf(
  { database, storage: loadedFor, tables }: FixtureSet,
  { storage, now }: Pick<StateOptions, "storage" | "now">,
): Database {
  if (storage === loadedFor) return database.fork({ now });
  return Database.load(tables, { storage, now });
}
