import { type Context, createContext } from "preact";
import { useContext, useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Client, ConsoleSetup, RequestOptions, Failure } from "../api/client.ts";
import type { Script } from "../../../core/chat/scripts/script.ts";
import type { SessionEntry } from "../../../core/control/routes/sessions.ts";
import type { SnapshotEntry } from "../../../core/control/routes/snapshots.ts";
import type { PlannedFault } from "../../../core/fixture-set/format/fault-format.ts";
import type { Result } from "../../../core/errors/result.ts";

/** The context of every view. */
export interface ConsoleTools {
  readonly client: Client;
  readonly setup: ConsoleSetup;
  /** Identifies the last request that may have changed something. */
  readonly change: string;
  /** Reads the setup again, after a change that may affect it. */
  readonly reload: () => void;
  /** Shows over the view that an action failed; undefined takes it away. */
  readonly report: (failure: Failure | undefined) => void;
  /** Shows a message over the view; an empty text takes the message away. */
  readonly tell: (text: string) => void;
  /** Announces an event to screen readers. */
  readonly announce: (text: string) => void;
}

export const ConsoleContext: Context<ConsoleTools | undefined> = createContext<
  ConsoleTools | undefined
>(undefined);

export function useConsole(): ConsoleTools {
  const tools = useContext(ConsoleContext);
  if (tools === undefined) throw new Error("A view is outside the console.");
  return tools;
}

/** Data from the server. */
interface Loaded<Value> {
  /** The last data; undefined at first. */
  readonly value: Value | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** The delay before a read in milliseconds, since typing changes the key with each letter. */
const debounceMs = 200;

/** Reads data, and again whenever `key` changes or `reload` is called. The result of the last read wins. */
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

/** Changes through the control API. */
export interface Actions {
  /** Why the last change was refused. */
  readonly refusal: Failure | undefined;
  /** Makes a change. If it is accepted, announces `told`. Resolves to whether it was accepted. */
  readonly act: (told: string, path: string, asked: RequestOptions) => Promise<boolean>;
}

/** Makes functions for changes. `onDone` is called after each change, accepted or refused. */
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

/** The answers of the control API's routes, by path. */
interface Resources {
  /** `matches` are counts by script; scripts without any are left out. */
  readonly "/chats": {
    readonly chats: readonly Script[];
    readonly matches: Readonly<Record<string, number>>;
  };
  readonly "/faults": { readonly faults: readonly PlannedFault[] };
  readonly "/sessions": { readonly sessions: readonly SessionEntry[] };
  readonly "/snapshots": { readonly snapshots: readonly SnapshotEntry[] };
}

/** The answer of a route of the control API, read again after each request, and functions for changes to it. */
export function useResource<Path extends keyof Resources>(
  path: Path,
): Loaded<Resources[Path]> & Actions {
  const { client, setup, change, reload } = useConsole();
  const load = (): Promise<Result<Resources[Path], Failure>> => client.control(path);
  const loaded = useLoad(load, `${change} ${setup.faults}`);
  const actions = useActions(() => {
    loaded.reload();
    reload();
  });
  return { ...loaded, ...actions };
}

const kept = new Map<string, unknown>();

/** State that is kept when the view changes, until the page is closed. */
export function useKept<Value>(
  name: string,
  first: Value,
): readonly [Value, (value: Value) => void] {
  // Each name is used with one type only.
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
