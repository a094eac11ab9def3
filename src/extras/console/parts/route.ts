import { decodedOrSent } from "../../../core/http/url-parts.ts";
import { useEffect, useMemo, useState } from "preact/hooks";

export const viewNames = ["requests", "tables", "chats", "scripts", "sessions", "faults"] as const;
export type ViewName = (typeof viewNames)[number];

/** The state of a view by name: filters, order, tab. */
export type ViewState = Readonly<Record<string, string>>;

/** The current view, and the object that it shows. */
export interface ConsoleRoute {
  readonly view: ViewName;
  readonly name: string | undefined;
  readonly state: ViewState;
}

/** The route of a hash such as `#/tables/users?sort=name`. */
export function readRoute(hash: string): ConsoleRoute {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [view, name] = path.split("/").map(decodedOrSent);
  return {
    view: viewNames.find((known) => known === view) ?? "requests",
    name: name === "" ? undefined : name,
    state: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** The last hash of each view, and of each object in a view. */
const left = new Map<string, string>();

/** The hash of a view. Without `state`, the hash leads to what the view last showed. */
export function hashOf(view: ViewName, name?: string, state?: ViewState): string {
  const path = name === undefined ? `#/${view}` : `#/${view}/${encodeURIComponent(name)}`;
  if (state === undefined) return left.get(path) ?? path;
  const query = new URLSearchParams(state).toString();
  return query === "" ? path : `${path}?${query}`;
}

/** The route of the page, which is in its address. */
export function useRoute(): ConsoleRoute {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => {
      const { view, name, state } = readRoute(location.hash);
      const shown = hashOf(view, name, state);
      left.set(hashOf(view, undefined, {}), shown).set(hashOf(view, name, {}), shown);
      setHash(location.hash);
    };
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return useMemo(() => readRoute(hash), [hash]);
}

/**
 * State of a view that is kept in the address, so that a reload or a shared link shows the same. The address may
 * contain any text. Texts that equal those of `first` are left out of the address. A change keeps the other texts, and
 * adds no entry to the history.
 */
export function useUrlState<Name extends string>(
  first: Readonly<Record<Name, string>>,
): readonly [Readonly<Record<Name, string>>, (change: Partial<Record<Name, string>>) => void] {
  const { state } = useRoute();
  const change = (changed: Partial<ViewState>): void => {
    const { view, name, state: before } = readRoute(location.hash);
    const defaults: ViewState = first;
    const told = Object.entries({ ...before, ...changed }).flatMap(([key, text]) =>
      text === undefined || text === (defaults[key] ?? "") ? [] : [[key, text]],
    );
    history.replaceState(history.state, "", hashOf(view, name, Object.fromEntries(told)));
    dispatchEvent(new Event("hashchange"));
  };
  return [useMemo(() => ({ ...first, ...state }), [state]), change];
}
