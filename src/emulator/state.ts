import { ScriptBook, type ScriptBookSnapshot } from "../chat/script-book.ts";
import type { FixtureSet } from "../fixtures/fixture-set.ts";
import type { Database, DatabaseSnapshot } from "../store/database.ts";
import { type RandomSource, randomFromSeed, randomFromState } from "./environment.ts";

/** Everything that requests can change, as it was at one moment. */
export interface Snapshot {
  readonly tables: DatabaseSnapshot;
  readonly chats: ScriptBookSnapshot;
  readonly random: readonly number[];
}

/** Everything that requests can change. */
export class State {
  readonly database: Database;
  readonly scripts: ScriptBook;
  #random: RandomSource;

  constructor(fixtures: FixtureSet, seed: number) {
    this.database = fixtures.database.fork();
    this.scripts = new ScriptBook(fixtures.scripts);
    this.#random = randomFromSeed(seed);
  }

  /** The next random number, from 0 up to but not including 1. */
  readonly random = (): number => this.#random.next();

  snapshot(): Snapshot {
    return {
      tables: this.database.snapshot(),
      chats: this.scripts.snapshot(),
      random: this.#random.state(),
    };
  }

  restore(snapshot: Snapshot): void {
    this.database.restore(snapshot.tables);
    this.scripts.restore(snapshot.chats);
    this.#random = randomFromState(snapshot.random);
  }
}
