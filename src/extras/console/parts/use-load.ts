import type { Result } from "../../../core/errors/result.ts";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Failure } from "../api/failure.ts";

/** Data from the server. */
export interface Loaded<Value> {
  /** The last data; undefined at first. */
  readonly value: Value | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** The wait before a read in milliseconds, since typing changes the key with each letter. */
const debounceMs = 200;

/** Reads data now, and again when `key` changes or `reload` is called. The last read wins. */
export function useLoad<Value>(
  load: () => Promise<Result<Value, Failure>>,
  key: string,
  waitMs: number = debounceMs,
): Loaded<Value> {
  const [value, setValue] = useState<Value>();
  const [failure, setFailure] = useState<Failure>();
  const [isLoading, setLoading] = useState(true);
  const turn = useRef(0);
  const latest = useRef(load);
  latest.current = load;
  const reload = useCallback(() => {
    const mine = ++turn.current;
    setLoading(true);
    const read = async (): Promise<void> => {
      const answer = await latest.current();
      if (mine !== turn.current) return;
      setLoading(false);
      setFailure(answer.ok ? undefined : answer.error);
      if (answer.ok) setValue(() => answer.value);
    };
    void read();
  }, []);
  const known = useRef<string | undefined>(undefined);
  useEffect(() => {
    const timer = setTimeout(reload, known.current === undefined ? 0 : waitMs);
    known.current = key;
    return () => {
      clearTimeout(timer);
      turn.current++;
    };
  }, [key, reload]);
  return { value, failure, isLoading, reload };
}
