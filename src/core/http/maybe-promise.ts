/** A value that is there already, or is still to come. */
export type MaybePromise<T extends object> = T | Promise<T>;

/** Whether a value is still to come. Promises of other realms count too. */
export function isPromise<T extends object>(value: MaybePromise<T>): value is Promise<T> {
  // Most are plain objects, in which a look for a method that none of them has takes ten times as long.
  if (Object.getPrototypeOf(value) === Object.prototype) return false;
  return value instanceof Promise || ("then" in value && typeof value.then === "function");
}

/**
 * Goes on with a value: at once when it is there. Most requests wait for nothing. Answered in the tick in which they
 * come they need no promises, which would add 1.6 µs to the 2.2 of a row by key.
 */
export function andThen<T extends object, U extends object>(
  value: MaybePromise<T>,
  proceed: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return isPromise(value) ? value.then(proceed) : proceed(value);
}

/** Loads something when it is first asked for. Once it is there, nobody waits. */
export function once<Value extends object>(load: () => Promise<Value>): () => MaybePromise<Value> {
  let loaded: MaybePromise<Value> | undefined;
  return () => {
    loaded ??= load().then((value) => {
      loaded = value;
      return value;
    });
    return loaded;
  };
}
