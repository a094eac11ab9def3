import { useState } from "preact/hooks";
import type { RequestOptions } from "../api/client.ts";
import type { Failure } from "../api/failure.ts";
import { useConsole } from "./console-context.ts";
import { type Loaded, useLoad } from "./use-load.ts";

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
