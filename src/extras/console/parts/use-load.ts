import type { Result } from "../../../core/errors/result.ts";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Failure } from "../api/failure.ts";

/** Something that is read from the server. */
export interface Loaded<Value> {
  /** What was read last; undefined until then. */
  readonly value: Value | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Someone who types changes the key with each letter. */
const graceMs = 200;

/** Reads something now, and again when `key` has changed or `reload` is called. The last one asked for wins. */
export function useLoad<Value>(
  load: () => Promise<Result<Value, Failure>>,
  key: string,
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
    const timer = setTimeout(reload, known.current === undefined ? 0 : graceMs);
    known.current = key;
    return () => {
      clearTimeout(timer);
      turn.current++;
    };
  }, [key, reload]);
  return { value, failure, isLoading, reload };
}
