import { useState } from "preact/hooks";

/** A number that this browser keeps for the console, such as a width. */
export function useStored(name: string, first: number): readonly [number, (value: number) => void] {
  const key = `backlot: ${name}`;
  const [value, setValue] = useState(() => readStored(key) ?? first);
  const set = (next: number): void => {
    localStorage.setItem(key, String(next));
    setValue(next);
  };
  return [value, set];
}

function readStored(key: string): number | undefined {
  const text = localStorage.getItem(key);
  const value = Number(text ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
}
