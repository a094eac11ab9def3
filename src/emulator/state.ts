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

/** Everything that requests can change. */
export class State {
  readonly database: Database;
  readonly scripts: ScriptBook;
  readonly limiter: RateLimiter;
  readonly #collections: Collections;
  #random: RandomSource;

  constructor(fixtures: FixtureSet, seed: number, options: StateOptions) {
    const { collections, storage, limits, now } = options;
    const served = [...collections].map(([name, table]) => [name, table.under(storage)] as const);
    this.#collections = new Map(served);
    this.database = databaseOf(fixtures, { storage, now }).withTables(this.#collections);
    this.scripts = new ScriptBook(fixtures.scripts);
    this.limiter = new RateLimiter(limits, now());
    this.#random = randomFromSeed(seed);
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
