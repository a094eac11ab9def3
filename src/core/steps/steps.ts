/** Work that stops for a moment where others may have a turn. */
export type Steps<Value> = Generator<void, Value, void>;

/** Does work in steps, at once or in turns. */
export type Play = <Value>(steps: Steps<Value>) => Promise<Value>;

/** Does all of the work at once. */
export function finish<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Plays steps at once. */
export const atOnce: Play = async (steps) => finish(steps);

/** So many items are dealt with between two steps: to ask for the time after each would cost as much as some of them. */
export const itemsPerStep = 64;

/** Visits each item in steps, until `visit` returns false. Returns whether it visited all. */
export function* visitInSteps<Item>(
  items: readonly Item[],
  visit: (item: Item, index: number) => unknown,
): Steps<boolean> {
  for (let from = 0; from < items.length; from += itemsPerStep) {
    const some = items.slice(from, from + itemsPerStep);
    if (!some.every((item, at) => visit(item, from + at) !== false)) return false;
    yield;
  }
  return true;
}

/** What a function makes of each item, in steps. */
export function* mapInSteps<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Steps<Result[]> {
  const results: Result[] = [];
  yield* visitInSteps(items, (item) => results.push(map(item)));
  return results;
}

/** A step that does nothing, between two that cannot be cut. */
export function* pause(): Steps<void> {
  yield;
}
