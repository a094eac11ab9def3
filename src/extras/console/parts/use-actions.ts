import { useState } from "preact/hooks";
import type { RequestOptions } from "../api/client.ts";
import type { Failure } from "../api/failure.ts";
import { useConsole } from "./console-context.ts";
import { type Loaded, useLoad } from "./use-load.ts";

/** Changes by the control API. */
export interface Actions {
  /** Why the last one was refused. */
  readonly refusal: Failure | undefined;
  /** Does one, and says `told` where it was accepted, which it gives. */
  readonly act: (told: string, path: string, asked: RequestOptions) => Promise<boolean>;
}

/** Makes ready for changes; `onDone` is called after each, refused or not. */
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

/** What a route of the control API gives, and changes of it, each of which has it and the set-up read again. */
export function useResource<Value>(path: string, key = ""): Loaded<Value> & Actions {
  const { client, reload: reloadSetup } = useConsole();
  const loaded = useLoad(() => client.control<Value>(path), key);
  const actions = useActions(() => {
    loaded.reload();
    reloadSetup();
  });
  return { ...loaded, ...actions };
}
