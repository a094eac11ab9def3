import type { Problem } from "./fuzz-kind.ts";

const constructors = [
  Object,
  Array,
  Function,
  String,
  Number,
  Boolean,
  BigInt,
  Symbol,
  Map,
  Set,
  Promise,
  RegExp,
  Date,
  Error,
  Uint8Array,
] as const;

/** What everything inherits from, and the functions themselves. */
const guarded: readonly object[] = [
  ...constructors.map(({ prototype }): object => prototype),
  ...constructors,
  JSON,
  Math,
  Reflect,
];

type Properties = ReadonlyMap<PropertyKey, PropertyDescriptor>;

/** Knows how prototypes were, and puts them back. */
export class PrototypeWatch {
  readonly #known: readonly Properties[] = guarded.map(propertiesOf);

  /** Whether the one that all objects share has got something, which is what inputs do if anything. */
  added(): Problem {
    const count = Reflect.ownKeys(Object.prototype).length;
    return count === this.#known[0]?.size ? undefined : this.changed();
  }

  /** Whether any property of any of them is another one. */
  changed(): Problem {
    for (const [index, object] of guarded.entries()) {
      const names = restore(object, this.#known[index] ?? new Map());
      if (names.length > 0) return `a prototype was touched: ${names.map(String).join(", ")}`;
    }
    return undefined;
  }
}

function propertiesOf(object: object): Properties {
  return new Map(
    Reflect.ownKeys(object).map((key) => [
      key,
      Reflect.getOwnPropertyDescriptor(object, key) ?? {},
    ]),
  );
}

/** Undoes what was done to an object, and names it. */
function restore(object: object, known: Properties): readonly PropertyKey[] {
  const now = propertiesOf(object);
  const added = [...now.keys()].filter((key) => !known.has(key));
  const changed = [...known].filter(([key, was]) => !isSame(was, now.get(key)));
  for (const key of added) Reflect.deleteProperty(object, key);
  for (const [key, was] of changed) Reflect.defineProperty(object, key, was);
  return [...added, ...changed.map(([key]) => key)];
}

function isSame(one: PropertyDescriptor, other: PropertyDescriptor | undefined): boolean {
  if (other === undefined) return false;
  return Object.is(one.value, other.value) && one.get === other.get && one.set === other.set;
}
