/** Names are spread over so many maps, so that a change copies a small part of them. */
const bucketCount = 64;

type Buckets = (ReadonlyMap<string, number> | undefined)[];

/**
 * How many requests each script has answered, by name. A fork costs the same at any size; the first change after it
 * copies one map of 64.
 */
export class MatchCounts {
  #buckets: Buckets;
  /** The maps that no fork has, by their place; undefined when a fork has the list of them too. */
  #own: Map<number, Map<string, number>> | undefined;

  constructor(shared: Buckets = []) {
    this.#buckets = shared;
  }

  /** Counts that begin at these. */
  static of(counts: Iterable<readonly [string, number]>): MatchCounts {
    const made = new MatchCounts();
    for (const [name, count] of counts) made.#change(name).set(name, count);
    return made;
  }

  of(name: string): number {
    return this.#buckets[bucketOf(name)]?.get(name) ?? 0;
  }

  add(name: string): void {
    this.#change(name).set(name, this.of(name) + 1);
  }

  forget(name: string): void {
    if (this.of(name) > 0) this.#change(name).delete(name);
  }

  /** Counts of their own that begin with the same. */
  fork(): MatchCounts {
    this.#own = undefined;
    return new MatchCounts(this.#buckets);
  }

  /** The map for a name, which may be changed. */
  #change(name: string): Map<string, number> {
    if (this.#own === undefined) {
      this.#own = new Map();
      this.#buckets = [...this.#buckets];
    }
    const place = bucketOf(name);
    const known = this.#own.get(place);
    if (known !== undefined) return known;
    const copy = new Map(this.#buckets[place]);
    this.#own.set(place, copy);
    this.#buckets[place] = copy;
    return copy;
  }
}

function bucketOf(name: string): number {
  let hash = 0;
  for (let at = 0; at < name.length; at++) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) | 0;
  return (hash ^ (hash >>> 12)) & (bucketCount - 1);
}
