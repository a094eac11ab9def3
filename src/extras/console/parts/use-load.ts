import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Result } from "../../../core/errors/result.ts";
import type { RequestOptions } from "../api/client.ts";
import type { Failure } from "../api/failure.ts";
import { useConsole } from "./console-context.ts";

/** Data from the server. */
interface Loaded<Value> {
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

/** Changes by the control API. */
export interface Actions {
  /** Why the last change was refused. */
  readonly refusal: Failure | undefined;
  /** Makes a change. Announces `told` if it was accepted, and resolves to whether it was. */
  readonly act: (told: string, path: string, asked: RequestOptions) => Promise<boolean>;
}

/** Prepares changes; `onDone` is called after each, refused or not. */
export function useActions(onDone: () => void): Actions {
  const { client, announce } = useConsole();
  const [refusal, setRefusal] = useState<Failure>();
  const act = async (told: string, path: string, asked: RequestOptions): Promise<boolean> => {
    const answer = await client.control(path, asked);
    setRefusal(answer.ok ? undefined : answer.error);
    if (answer.ok) announce(told);
    onDone();
    return answer.ok;
  };
  return { refusal, act };
}

/** The answer of a control route, and changes to it. Each change reads the route and the setup again. */
export function useResource<Value>(path: string, key = ""): Loaded<Value> & Actions {
  const { client, reload: reloadSetup } = useConsole();
  const loaded = useLoad(() => client.control<Value>(path), key);
  const actions = useActions(() => {
    loaded.reload();
    reloadSetup();
  });
  return { ...loaded, ...actions };
}
