import { randomFromSeed } from "../../src/core/emulator/environment.ts";

/** A choice and how often it is taken, beside the weights of the others. */
export type Weighted<T> = readonly [weight: number, choice: T];

/** Choices that follow from a seed. */
export class Random {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomFromSeed(scrambled(seed)).next;
    // The first numbers of neighbouring seeds are alike.
    for (let skipped = 0; skipped < 8; skipped++) this.#next();
  }

  /** A whole number, both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.#next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    for (const choice of choices.slice(this.int(0, choices.length - 1))) return choice;
    throw new RangeError("There is nothing to pick from.");
  }

  weighted<T>(choices: readonly Weighted<T>[]): T {
    const sum = choices.reduce((total, [weight]) => total + weight, 0);
    let left = this.#next() * sum;
    for (const [weight, choice] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    return this.pick(choices)[1];
  }

  list<T>(count: number, make: (index: number) => T): T[] {
    return Array.from({ length: count }, (_, index) => make(index));
  }

  /** Some of a list's items, in their order. */
  some<T>(items: readonly T[], probability: number): T[] {
    return items.filter(() => this.chance(probability));
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, place: this.#next() }))
      .toSorted((left, right) => left.place - right.place)
      .map(({ item }) => item);
  }
}

/** Spreads the bits of neighbouring seeds (the finaliser of MurmurHash3). */
function scrambled(seed: number): number {
  let bits = seed | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
