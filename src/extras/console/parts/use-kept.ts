import { useCallback, useState } from "preact/hooks";

const kept = new Map<string, unknown>();

/** State that outlives its view, until the page is left. */
export function useKept<Value>(
  name: string,
  first: Value,
): readonly [Value, (value: Value) => void] {
  // No other code uses this name.
  const [value, setValue] = useState(() => (kept.has(name) ? (kept.get(name) as Value) : first));
  const keep = useCallback(
    (next: Value) => {
      kept.set(name, next);
      setValue(() => next);
    },
    [name],
  );
  return [value, keep];
}
