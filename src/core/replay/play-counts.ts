/**
 * How often each recording was replayed, by cassette and place. A fork costs the same at any size; the first count after
 * it copies all of them, of which there are some hundreds.
 */
export class PlayCounts {
  #counts: Map<string, number[]>;
  /** Whether a fork has them too. */
  #isShared: boolean;

  constructor(shared: Map<string, number[]> = new Map()) {
    this.#counts = shared;
    this.#isShared = true;
  }

  /** Counts that begin at these, by the cassette's name, in the order of its recordings. */
  static of(counts: Iterable<readonly [string, readonly number[]]>): PlayCounts {
    return new PlayCounts(new Map([...counts].map(([name, plays]) => [name, [...plays]])));
  }

  /** How often a recording was replayed; `index` is its place in its cassette, from 0. */
  of(cassette: string, index: number): number {
    return this.#counts.get(cassette)?.[index] ?? 0;
  }

  add(cassette: string, index: number): void {
    const plays = this.#own(cassette);
    // Without holes, which would become null on the way through JSON.
    while (plays.length <= index) plays.push(0);
    plays[index] = (plays[index] ?? 0) + 1;
  }

  /** Counts of their own that begin with the same. */
  fork(): PlayCounts {
    this.#isShared = true;
    return new PlayCounts(this.#counts);
  }

  /** What was replayed at all, by the cassette's name. */
  entries(): readonly (readonly [string, readonly number[]])[] {
    return [...this.#counts].map(([name, plays]) => [name, [...plays]]);
  }

  #own(cassette: string): number[] {
    if (this.#isShared) {
      this.#counts = new Map([...this.#counts].map(([name, plays]) => [name, [...plays]]));
      this.#isShared = false;
    }
    const known = this.#counts.get(cassette);
    if (known !== undefined) return known;
    const plays: number[] = [];
    this.#counts.set(cassette, plays);
    return plays;
  }
}
