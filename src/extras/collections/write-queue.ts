const lastWrites = new WeakMap<object, Promise<unknown>>();

/**
 * Runs a write when those before it on the same collection are over. The collection itself would make two
 * updates of one record from the same state, and lose the first.
 */
export function inTurn<Result>(
  collection: object,
  write: () => Promise<Result> | Result,
): Promise<Result> {
  const previous = lastWrites.get(collection) ?? Promise.resolve();
  const result = previous.then(write);
  // A write that fails does not stop those after it.
  lastWrites.set(
    collection,
    result.catch(() => undefined),
  );
  return result;
}
