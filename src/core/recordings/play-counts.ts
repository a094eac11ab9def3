/**
 * How often each recording was replayed, by cassette and index. A fork copies all counts, of which there are some
 * hundreds.
 */
export class PlayCounts {
  readonly #counts: Map<string, number[]>;

  /** Starts with counts by cassette name; each list is in the order of the cassette's recordings. */
  constructor(counts: Iterable<readonly [string, readonly number[]]> = []) {
    this.#counts = new Map(Array.from(counts, ([name, plays]) => [name, [...plays]]));
  }

  /** How often a recording was replayed; `index` is its position in the cassette, from 0. */
  of(cassette: string, index: number): number {
    return this.#counts.get(cassette)?.[index] ?? 0;
  }

  add(cassette: string, index: number): void {
    const plays = this.#counts.get(cassette) ?? [];
    // The list gets no holes, since JSON would turn them into null.
    while (plays.length <= index) plays.push(0);
    plays[index] = (plays[index] ?? 0) + 1;
    this.#counts.set(cassette, plays);
  }

  /** Independent counts that start with the same values. */
  fork(): PlayCounts {
    return new PlayCounts(this.#counts);
  }

  /** The counts of replayed recordings, by cassette name. */
  entries(): readonly (readonly [string, readonly number[]])[] {
    return Array.from(this.#counts, ([name, plays]) => [name, [...plays]]);
  }
}
