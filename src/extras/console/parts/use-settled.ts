import { useEffect, useRef, useState } from "preact/hooks";

/**
 * Follows `value` with a delay. However often `value` changes, the result changes at most once in `ms` milliseconds.
 */
export function useSettled(value: string, ms: number): string {
  const latest = useRef(value);
  latest.current = value;
  const [settled, settle] = useState(value);
  useEffect(() => {
    // The timer is not started again when the value changes again.
    if (latest.current === settled) return undefined;
    const timer = setTimeout(() => settle(latest.current), ms);
    return () => clearTimeout(timer);
  }, [value !== settled, settled]);
  return settled;
}
