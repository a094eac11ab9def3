import { didYouMean } from "../errors/show.ts";

/** The sources of randomness and time. */
export interface FakeSource {
  /** The same seed gives the same values in the same order. */
  readonly seed?: number;
  /** Numbers from 0 up to but not including 1. Wins over `seed`. */
  readonly random?: () => number;
  /** Unix time in milliseconds, for dates such as "recent". Default: the runtime's clock. */
  readonly now?: () => number;
}

/** Fake values by path, such as `person.fullName`. */
export interface FakeValues {
  readonly call: (path: string, args: readonly unknown[]) => unknown;
  /** The faker method at a path, whose results JSON can hold. Undefined if there is none. */
  readonly method: (path: string) => FakeMethod | undefined;
  /** The problem of a path, or nothing. */
  readonly problem: (path: string) => string | undefined;
  /** An item of a list; undefined when it is empty. Takes the same time for any length. */
  readonly pick: <Item>(list: readonly Item[]) => Item | undefined;
  /** A whole number from 0 up to but not including `end`. */
  readonly below: (end: number) => number;
  /** Some items of a list, each at most once, in any order. */
  readonly sample: (list: readonly unknown[], count: number) => unknown[];
}

/** A method of faker. */
type FakeMethod = (...args: readonly unknown[]) => unknown;

/** Loads faker with English data only: all locales together take ten times as long. */
export async function loadFakeValues(source: FakeSource): Promise<FakeValues> {
  const { faker: shared } = await import("@faker-js/faker/locale/en");
  // The locale module exports an instance, whose seed everybody would share, but not its class.
  const Faker = shared.constructor as new (options: object) => typeof shared;
  const faker = new Faker({ locale: shared.rawDefinitions, ...chanceOf(source) });
  const { now } = source;
  if (now !== undefined) faker.setDefaultRefDate(() => new Date(now()));
  const methods = methodsOf(faker);
  const problem = (path: string): string | undefined =>
    methods.has(path)
      ? undefined
      : `"${path}" is not a method of faker.${didYouMean(path, methods.keys())}`;
  return {
    call: (path, args) => {
      const method = methods.get(path);
      if (method === undefined) throw new Error(problem(path));
      return method(...args);
    },
    method: (path) => methods.get(path),
    problem,
    pick: (list) => (list.length === 0 ? undefined : faker.helpers.arrayElement(list)),
    below: (end) => faker.number.int({ max: end - 1 }),
    sample: (list, count) => faker.helpers.arrayElements(list, count),
  };
}

function chanceOf({ random, seed }: FakeSource): object {
  if (random !== undefined) return { randomizer: { next: random, seed: () => {} } };
  return seed === undefined ? {} : { seed };
}

/** Faker's methods by path. Templates can reach nothing else of faker. */
function methodsOf(faker: object): ReadonlyMap<string, FakeMethod> {
  const methods = new Map<string, FakeMethod>();
  for (const [moduleName, module] of Object.entries(faker)) {
    if (moduleName === "fakerCore" || typeof module !== "object" || module === null) continue;
    for (const [name, method] of Object.entries(module)) {
      if (typeof method === "function")
        methods.set(`${moduleName}.${name}`, (...args) =>
          plainValue(Reflect.apply(method, module, args)),
        );
    }
  }
  return methods;
}

/** Values that JSON can hold: ISO text for a date, digits for a bigint. */
function plainValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "bigint" ? value.toString() : value;
}
