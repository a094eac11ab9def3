import fc from "fast-check";

/** A choice and how often it is taken, beside the weights of the others. */
export type Weighted<T> = readonly [weight: number, choice: T];

const wordsInAll = 2 ** 32;

/** Choices made of a stream of 32-bit words. A word of 0 makes the simplest choice: the first, the least, or no. */
export class Random {
  readonly #word: () => number;

  constructor(word: () => number) {
    this.#word = word;
  }

  /** A whole number, both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.#next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.#next() >= 1 - probability;
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

  #next(): number {
    return this.#word() / wordsInAll;
  }
}

/** An arbitrary of what a function makes of random choices. fast-check generates and shrinks the words behind them. */
export function drawn<T>(make: (random: Random) => T): fc.Arbitrary<T> {
  return new Drawn(make);
}

/** A property whose failing value shrinks only while this goes on. */
export function shrinkingWhile<Input, Property extends fc.IRawProperty<Input>>(
  property: Property & fc.IRawProperty<Input>,
  goesOn: () => boolean,
): Property {
  const shrink = property.shrink.bind(property);
  return Object.assign(property, {
    shrink: (value: fc.Value<Input>) => shrink(value).takeWhile(goesOn),
  });
}

const words = fc.array(fc.nat({ max: wordsInAll - 1 }), { maxLength: 100_000 });

class Drawn<T> extends fc.Arbitrary<T> {
  readonly #make: (random: Random) => T;

  constructor(make: (random: Random) => T) {
    super();
    this.#make = make;
  }

  generate(source: fc.Random): fc.Value<T> {
    const taken: number[] = [];
    const random = new Random(() => {
      const word = source.nextInt() >>> 0;
      taken.push(word);
      return word;
    });
    const value = this.#make(random);
    return new fc.Value(value, new fc.Value(taken, undefined));
  }

  canShrinkWithoutContext(_value: unknown): _value is T {
    return false;
  }

  shrink(_value: T, context: unknown): fc.Stream<fc.Value<T>> {
    if (!(context instanceof fc.Value)) return fc.Stream.nil();
    return words.shrink(context.value, context.context).map((fewer) => {
      const left = fewer.value.values();
      // What the words do not suffice for is as simple as can be.
      const value = this.#make(new Random(() => left.next().value ?? 0));
      return new fc.Value(value, fewer);
    });
  }
}
