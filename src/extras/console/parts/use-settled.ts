import { useEffect, useRef, useState } from "preact/hooks";

/** The last value, some milliseconds after it changed: however often it changes, it is given at most once in each. */
export function useSettled(value: string, ms: number): string {
  const latest = useRef(value);
  latest.current = value;
  const [settled, settle] = useState(value);
  useEffect(() => {
    // The timer runs on when the value changes again.
    if (latest.current === settled) return undefined;
    const timer = setTimeout(() => settle(latest.current), ms);
    return () => clearTimeout(timer);
  }, [value !== settled, settled]);
  return settled;
}
