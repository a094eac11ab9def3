/**
 * How often each recording was replayed, by cassette and index. A fork costs the same at any size; the first count
 * after it copies all counts, some hundreds.
 */
export class PlayCounts {
  #counts: Map<string, number[]>;
  /** Whether a fork shares them. */
  #isShared: boolean;

  constructor(shared: Map<string, number[]> = new Map()) {
    this.#counts = shared;
    this.#isShared = true;
  }

  /** Counts that start with these, by cassette name, in the order of its recordings. */
  static of(counts: Iterable<readonly [string, readonly number[]]>): PlayCounts {
    return new PlayCounts(new Map([...counts].map(([name, plays]) => [name, [...plays]])));
  }

  /** How often a recording was replayed; `index` is its position in the cassette, from 0. */
  of(cassette: string, index: number): number {
    return this.#counts.get(cassette)?.[index] ?? 0;
  }

  add(cassette: string, index: number): void {
    const plays = this.#own(cassette);
    // No holes: JSON would turn them into null.
    while (plays.length <= index) plays.push(0);
    plays[index] = (plays[index] ?? 0) + 1;
  }

  /** Independent counts that start with the same. */
  fork(): PlayCounts {
    this.#isShared = true;
    return new PlayCounts(this.#counts);
  }

  /** The counts of replayed recordings, by cassette name. */
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
